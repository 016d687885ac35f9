import type { Publication } from './publication.ts';

/** Cursors stay valid for as many publications that were due, and longer while their board stays the same. */
const KEPT_PLANNED = 3;

/** Of the publications between them, which a change called for, as many are kept: each takes memory. */
const KEPT_BETWEEN = 3;

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
    const between = all.filter((kept) => !kept.isPlanned).slice(0, KEPT_BETWEEN);
    this.#kept = all.filter((kept) => planned.includes(kept) || between.includes(kept));
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
