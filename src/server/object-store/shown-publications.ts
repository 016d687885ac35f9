import type { StoredPublication } from '#db/publications.ts';
import type { Store } from '#db/store.ts';

export interface ShownPublications {
  newest: StoredPublication;
  /** The numbers of those that readers keep, oldest first. */
  kept: number[];
  /** Those that are needed to read them, oldest first. */
  chain: StoredPublication[];
}

/** The stored publications that can be read; null while none is. */
export function shownPublications({
  publications,
}: Pick<Store, 'publications'>): ShownPublications | null {
  const kept = publications.kept().toReversed();
  const newest = kept.at(-1);
  if (!newest) return null;
  const bases = [...new Set(kept.map(({ base }) => base))].toSorted((a, b) => a - b);
  const chain = bases.flatMap((base) => publications.builtOn(base));
  return { newest, kept: kept.map(({ id }) => id), chain };
}
