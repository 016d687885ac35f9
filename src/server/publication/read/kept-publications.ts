import type { Publication } from './publication.ts';

/** Cursors stay valid for as many publications that were due, and longer while their board stays the same. */
const KEPT_PLANNED = 3;

/**
 * Of the publications between them, which a change called for, at least as many are kept, and more while they
 * take little memory together (128 MiB).
 */
const MIN_BETWEEN = 3;
const MAX_BETWEEN = 100;
const MAX_BETWEEN_BYTES = 128 * 1024 * 1024;

interface Kept {
  publication: Publication;
  isPlanned: boolean;
}

/** The publications that cursors can lead to, newest first. */
export class KeptPublications {
  #kept: readonly Kept[] = [];

  /** A publication by its own number, or by that of a version of one of its boards. */
  byId(id: number): Publication | undefined {
    const isCalled = ({ publication }: Kept) => publication.id === id || publication.hasVersion(id);
    return this.#kept.find(isCalled)?.publication;
  }

  restore(publications: readonly Publication[]): void {
    this.#kept = publications.map((publication) => ({ publication, isPlanned: true }));
  }

  /** @param isPlanned Whether it was due; those that were not cannot displace those that were. */
  add(publication: Publication, isPlanned: boolean): void {
    const all = [{ publication, isPlanned }, ...this.#kept];
    const planned = all.filter((kept) => kept.isPlanned).slice(0, KEPT_PLANNED);
    const oldest = planned.at(-1)?.publication.id ?? 0;
    const between = all.filter((kept) => !kept.isPlanned && kept.publication.id > oldest);
    const fitting = between.slice(0, roomFor(between));
    this.#kept = all.filter((kept) => planned.includes(kept) || fitting.includes(kept));
  }

  /** Takes every operator out that a newer publication shows differently or not at all. */
  withhold(newer: Publication): void {
    this.#kept = this.#kept.map(({ publication, isPlanned }) => {
      return { publication: publication.asShownIn(newer), isPlanned };
    });
  }

  clear(): void {
    this.#kept = [];
  }
}

/** How many of the publications between planned ones are kept, newest first. */
function roomFor(between: readonly Kept[]): number {
  let bytes = 0;
  const full = between.findIndex(({ publication }) => {
    bytes += publication.bytes;
    return bytes > MAX_BETWEEN_BYTES;
  });
  const most = full < 0 ? between.length : full;
  return Math.min(MAX_BETWEEN, Math.max(MIN_BETWEEN, most));
}
