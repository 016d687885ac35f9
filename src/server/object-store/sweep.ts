import { type FactsIndex, keysOf } from '../facts/facts-index.ts';
import type { Current } from './current.ts';
import { FACTS, PUBLICATIONS, publicationKey } from './keys.ts';
import type { ObjectStore } from './object-store.ts';

/** Deletes publications and facts that nothing names, such as those of an upload that was interrupted. */
export async function sweep(
  store: Pick<ObjectStore, 'delete' | 'list'>,
  { chain, facts }: Pick<Current, 'chain' | 'facts'>,
  { index, replaced }: { index: FactsIndex | null; replaced: Iterable<string> },
): Promise<void> {
  const named = new Set([
    ...chain.map((id) => publicationKey(id)),
    ...(facts === null ? [] : [facts]),
    ...(index ? keysOf(index) : []),
    ...replaced,
  ]);
  const stored = [...(await store.list(PUBLICATIONS)), ...(await store.list(FACTS))];
  await store.delete(stored.filter((key) => !named.has(key)));
}
