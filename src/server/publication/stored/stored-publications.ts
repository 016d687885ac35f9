import type { StoredPublication } from '#db/publications.ts';
import type { Projected } from '../project/read-changes.ts';
import type { PublicationData } from '../state/board-state.ts';
import { readChanges, writeChanges } from './changes.ts';
import { readImage, writeImage } from './image.ts';
import { type Readable, SectionReader, type Writable } from './sections.ts';

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
  tip: StoredTip;
}

/**
 * Stores a publication: its changes, or an image on a new day, without an earlier one to build on, or once the changes
 * are larger than an image.
 */
export function storePublication(
  store: Writable,
  id: number,
  projected: Projected,
  tip: StoredTip | null,
): StoredTip {
  const isSameDay = tip !== null && sharesMemory(tip.projected, projected);
  const before = tip && isSameDay && tip.changedBytes < tip.imageBytes ? tip : null;
  const bytes = before
    ? writeChanges(store, id, { before: before.projected, projected })
    : writeImage(store, id, projected);
  store.publications.complete(id, before?.base ?? id);
  return tipAfter(before, { id, projected, bytes });
}

/** @param before The publication whose changes were stored; null if an image was. */
function tipAfter(
  before: StoredTip | null,
  { bytes, ...stored }: Pick<StoredTip, 'id' | 'projected'> & { bytes: number },
): StoredTip {
  return before
    ? { ...before, ...stored, changedBytes: before.changedBytes + bytes }
    : { ...stored, base: stored.id, imageBytes: bytes, changedBytes: 0 };
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
    for (const head of heads) {
      const before = read.at(-1) ?? null;
      if (!before && head.id !== head.base) break;
      read.push(readPublication(store, head, before));
    }
  } catch {
    // What was read so far is of use, and a new publication replaces the rest.
  }
  return read;
}

/**
 * Reads one stored publication.
 *
 * @param before The one that it builds on; null for an image.
 * @throws {Error} if it cannot be read.
 */
export function readPublication(
  store: Readable,
  { base: _, ...head }: StoredPublication,
  before: ReadPublication | null,
): ReadPublication {
  const { id } = head;
  const sections = new SectionReader(store, id);
  const projected = before ? readChanges(sections, before.projected) : readImage(sections);
  const tip = tipAfter(before && before.tip, { id, projected, bytes: sections.bytes });
  return { data: { head, state: projected.state }, projected, tip };
}
