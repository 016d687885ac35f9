/** As many sources as a board takes of one operator: those that it has, then those used most. */
import { sourceKey, totalOf } from '#core/domain/counting/bucket.ts';
import { type Bucket, MAX_SOURCES, type UsageSource } from '#core/schema/usage.ts';
import { counted } from '../text/counted.ts';

/** The names of sources that were admitted. */
class Admitted {
  readonly #names = {
    tools: new Set<string>(),
    providers: new Set<string>(),
    models: new Set<string>(),
    pairs: new Set<string>(),
  };

  add(source: UsageSource): void {
    for (const [kind, name] of namesOf(source)) this.#names[kind].add(name);
  }

  /** Whether a board that has all of these also takes this one. */
  hasRoomFor(source: UsageSource): boolean {
    return namesOf(source).every(([kind, name]) => {
      const names = this.#names[kind];
      return names.has(name) || names.size < MAX_SOURCES[kind];
    });
  }
}

/**
 * Leaves out the sources used least where they are more than a board takes.
 *
 * @param known Sources that the board has already, which are never left out.
 */
export function withinSources(
  known: readonly UsageSource[],
  buckets: readonly Bucket[],
): { taken: readonly Bucket[]; note: string | null } {
  const admitted = new Admitted();
  const keys = new Set(known.map(sourceKey));
  known.forEach((source) => admitted.add(source));
  const left = new Set<string>();
  for (const { source, key } of newByUse(keys, buckets)) {
    if (admitted.hasRoomFor(source)) admitted.add(source);
    else left.add(key);
  }
  if (left.size === 0) return { taken: buckets, note: null };
  const { tools, providers, models, pairs } = MAX_SOURCES;
  const most = `${tools} tools, ${providers} providers, ${models} models and ${pairs} pairs of both`;
  return {
    taken: buckets.filter((bucket) => !left.has(sourceKey(bucket))),
    note: `the ${counted(left.size, 'model')} used least left out: a board takes at most ${most}`,
  };
}

/** The sources that are not known, those with the most tokens first. */
function newByUse(known: ReadonlySet<string>, buckets: readonly Bucket[]) {
  const sums = new Map<string, { source: UsageSource; key: string; total: number }>();
  for (const bucket of buckets) {
    const key = sourceKey(bucket);
    if (known.has(key)) continue;
    const sum = sums.get(key);
    if (sum) sum.total += totalOf(bucket);
    else sums.set(key, { source: bucket, key, total: totalOf(bucket) });
  }
  return [...sums.values()].sort((a, b) => b.total - a.total);
}

function namesOf({ tool, provider, model }: UsageSource) {
  return [
    ['tools', tool],
    ['providers', provider],
    ['models', model],
    ['pairs', `${provider}\n${model}`],
  ] as const;
}
