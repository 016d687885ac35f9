import type { StoredPublication } from '#db/publications.ts';
import type { Projected } from '../project/read-changes.ts';
import type { PublicationData } from '../state/board-state.ts';
import { readChanges, writeChanges } from './changes.ts';
import { readImage, writeImage } from './image.ts';
import type { Readable } from './sections.ts';

/** The last stored publication, on which the next one can build. */
export interface StoredTip {
  id: number;
  base: number;
  /** The bytes of the image, and of all changes since. */
  imageBytes: number;
  changedBytes: number;
  projected: Projected;
}

/** A publication with everything that is needed to continue from it. */
export interface ReadPublication {
  data: PublicationData;
  projected: Projected;
}

/**
 * Stores a publication: its changes, or an image on a new day, without an earlier one to build on, or once the changes
 * are larger than an image.
 */
export function storePublication(
  store: Readable,
  id: number,
  projected: Projected,
  tip: StoredTip | null,
): StoredTip {
  const isSameDay = tip !== null && sharesMemory(tip.projected, projected);
  if (tip && isSameDay && tip.changedBytes < tip.imageBytes) {
    const bytes = writeChanges(store, id, { before: tip.projected, projected });
    store.publications.complete(id, tip.base);
    return { ...tip, id, projected, changedBytes: tip.changedBytes + bytes };
  }
  const imageBytes = writeImage(store, id, projected);
  store.publications.complete(id, id);
  return { id, base: id, projected, imageBytes, changedBytes: 0 };
}

function sharesMemory(a: Projected, b: Projected): boolean {
  return a.state.numbers[0]?.buffer === b.state.numbers[0]?.buffer;
}

/**
 * Reads the newest stored publications, oldest first. Those after one that cannot be read are left out.
 *
 * @param wanted Their numbers; all readable ones if absent.
 */
export function readPublications(
  store: Readable,
  wanted: readonly number[] = store.publications.kept().map(({ id }) => id),
): ReadPublication[] {
  const bases = new Set(
    store.publications
      .kept()
      .filter(({ id }) => wanted.includes(id))
      .map(({ base }) => base),
  );
  return [...bases]
    .sort((a, b) => a - b)
    .flatMap((base) => readChain(store, store.publications.builtOn(base)))
    .filter(({ data }) => wanted.includes(data.head.id));
}

function readChain(store: Readable, heads: readonly StoredPublication[]): ReadPublication[] {
  const read: ReadPublication[] = [];
  try {
    for (const { base, ...head } of heads) {
      const before = read.at(-1)?.projected;
      if (!before && head.id !== base) break;
      const projected = before ? readChanges(store, head.id, before) : readImage(store, base);
      read.push({ data: { head, state: projected.state }, projected });
    }
  } catch {
    // What was read so far is of use, and a new publication replaces the rest.
  }
  return read;
}
