/** Composes the snapshots for a board: which daily counts they contain, and their exact bytes. */
import { isCorrected } from '#core/domain/counting/counting.ts';
import { dayBefore } from '#core/domain/counting/day.ts';
import { composeSnapshot, payloadTypeOf } from '#core/domain/signing/snapshot.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { Covers } from '#core/schema/snapshot.ts';
import { type Bucket, MAX_SOURCES, type UsageSource } from '#core/schema/usage.ts';
import { sourceKey, totalOf } from '#core/domain/counting/bucket.ts';
import type { LocalDevice } from '../device.ts';
import { aboveBaseline } from '../state/baseline.ts';
import type { Outbox, Rules, StatedBuckets } from '../state/outbox.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { COLLECTOR } from '../version.ts';
import { counted } from '../text/figures.ts';
import { type Stating, coversDue } from './covered-days.ts';
import { type FingerprintSource, type Fingerprinted, withFingerprints } from './fingerprints.ts';

/** Records in one snapshot. Far below the board's limits, even with long names. */
const BATCH = 1000;

/** The counts of the ledger that a board accepts. */
export interface Sendable {
  /** Read again from the ledger each time, because counts may be carried over in between. */
  readonly buckets: readonly Bucket[];
  rules: Rules;
  /** The tools whose logs could all be read, each with the first day for which none can be missing. */
  wholeFrom: ReadonlyMap<string, string>;
  /** Source of fingerprints, and target for counts carried over from a board. Absent without a ledger. */
  ledger?: Fingerprinted & Partial<Pick<Ledger, 'carry'>>;
}

interface Due {
  statements: StatedBuckets[];
  notes: string[];
}

export interface Payload {
  id: string;
  payloadType: string;
  payload: Uint8Array;
}

/** @param options `statesDays`: whether the board accepts statements of days. */
export function composePayload(
  { nowMs }: Pick<LocalDevice, 'nowMs'>,
  board: string,
  { correction, covers = null, buckets }: StatedBuckets,
  {
    fingerprints = null,
    statesDays = true,
  }: { fingerprints?: FingerprintSource | null; statesDays?: boolean } = {},
): Payload {
  const version = { covers: statesDays ? covers : undefined };
  const id = uuidV7(nowMs(), crypto.getRandomValues(new Uint8Array(10)));
  const payload = composeSnapshot({
    audience: board,
    submission_id: id,
    issuedAtMs: nowMs(),
    collector: COLLECTOR,
    correction,
    ...version,
    buckets: withFingerprints(buckets, fingerprints),
  });
  return { id, payloadType: payloadTypeOf(version), payload };
}

export function batchesOf(buckets: readonly Bucket[]): StatedBuckets[] {
  const batches: StatedBuckets[] = [];
  for (let at = 0; at < buckets.length; at += BATCH) {
    batches.push({ correction: null, buckets: buckets.slice(at, at + BATCH) });
  }
  return batches;
}

/**
 * The statements that a board does not have yet, corrections first.
 *
 * @param stating Null if no days can be stated.
 */
export function statementsDue(
  outbox: Outbox,
  sendable: Sendable,
  stating: Stating | null = null,
): Due {
  const { buckets: kept, rules, wholeFrom } = sendable;
  const stated = aboveBaseline(kept, outbox.baseline());
  const { taken: buckets, note } = withinSources(outbox.sent(), stated);
  const corrections = Object.keys(rules)
    .filter((tool) => hasOtherRules(outbox, tool, rules))
    .flatMap((tool) => correctionsOf(outbox, tool, buckets));
  const others = outbox.unsent(buckets).filter((bucket) => {
    return !corrections.some(({ correction }) => isCorrected(bucket, correction));
  });
  const isWhole = note === null && others.length > 0;
  const covers = stating && isWhole ? coversDue(outbox, wholeFrom, stating) : null;
  const batches = covers ? coveringBatches(covers, buckets, others) : batchesOf(others);
  return {
    statements: [...corrections, ...batches],
    notes: note === null ? [] : [note],
  };
}

/** Batches with all buckets of the covered days, which are not divided among batches, and the other unsent ones. */
function coveringBatches(
  covers: Covers,
  buckets: readonly Bucket[],
  unsent: readonly Bucket[],
): StatedBuckets[] {
  const isCovered = ({ day, tool }: Bucket) =>
    covers.tools.includes(tool) && day >= covers.from && day <= covers.to;
  const parts = splitByDays(covers, buckets.filter(isCovered));
  const last = parts.pop() ?? { span: covers, buckets: [] };
  const others = unsent.filter((bucket) => !isCovered(bucket));
  const added = others.slice(0, Math.max(0, BATCH - last.buckets.length));
  return [
    ...parts.map((part) => ({ correction: null, covers: part.span, buckets: part.buckets })),
    { correction: null, covers: last.span, buckets: [...last.buckets, ...added] },
    ...batchesOf(others.slice(added.length)),
  ];
}

function hasOtherRules(outbox: Outbox, tool: string, rules: Rules): boolean {
  const known = outbox.rulesOf(tool);
  return known !== undefined && known !== rules[tool];
}

/**
 * Corrections for days on which the board has more than the current rules count. A snapshot has at least one record,
 * so a span without any is extended to the nearest day with records.
 */
function correctionsOf(outbox: Outbox, tool: string, kept: readonly Bucket[]) {
  const buckets = kept.filter((bucket) => bucket.tool === tool);
  const lowered = outbox.loweredDays(tool, buckets);
  const [first] = lowered;
  const last = lowered.at(-1);
  if (first === undefined || last === undefined) return [];
  const days = buckets.map(({ day }) => day);
  const isEmpty = !days.some((day) => day >= first && day <= last);
  const later = isEmpty ? days.find((day) => day > last) : last;
  const from = later === undefined ? days.findLast((day) => day < first) : first;
  if (from === undefined) return [];
  const whole = { tool, from, to: later ?? last };
  const corrected = buckets.filter((bucket) => isCorrected(bucket, whole));
  return splitByDays(whole, corrected).map((part) => {
    return { correction: part.span, buckets: part.buckets };
  });
}

/**
 * Splits a span of days if it has too many buckets for one snapshot.
 *
 * @param buckets All buckets of the span, by day. A part has all those of its days.
 */
function splitByDays<Span extends { from: string; to: string }>(
  whole: Span,
  buckets: readonly Bucket[],
) {
  const parts: { span: Span; buckets: Bucket[] }[] = [];
  for (const bucket of buckets) {
    const part = parts.at(-1);
    const isSameDay = part?.buckets.at(-1)?.day === bucket.day;
    if (part && (isSameDay || part.buckets.length < BATCH)) {
      part.buckets.push(bucket);
      continue;
    }
    if (part) part.span.to = dayBefore(bucket.day);
    const from = part ? bucket.day : whole.from;
    parts.push({ span: { ...whole, from }, buckets: [bucket] });
  }
  return parts;
}

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

  /** Whether a board with these sources accepts one more. */
  hasRoomFor(source: UsageSource): boolean {
    return namesOf(source).every(([kind, name]) => {
      const names = this.#names[kind];
      return names.has(name) || names.size < MAX_SOURCES[kind];
    });
  }
}

/**
 * Leaves out the least used sources if there are more than a board accepts.
 *
 * @param known Sources that the board already has. They are never left out.
 */
function withinSources(
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
    note: `the ${counted(left.size, 'least used model')} left out, because a board accepts at most ${most}`,
  };
}

/** The unknown sources, those with the most tokens first. */
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
