/** The units of the next index, and the objects that the index before does not name. */
import type { CopiedTable } from '#db/replica-tables.ts';
import type { FactsIndex } from './facts-index.ts';
import {
  type FactsContent,
  type FactsObject,
  compress,
  fileKey,
  keyOf,
  packContent,
  versionOf,
} from './facts-object.ts';

/** Work in steps of a few milliseconds, each with an object to store or without one. */
export type Steps<Result = void> = Generator<FactsObject | undefined, Result>;

/** Decides whether a unit of stored days must be read again. */
interface DayMark {
  /** How many operators its chunks have together. Deleted accounts are removed from them. */
  members: number;
  /** Whether a day was not stored before, or was stored again. */
  isNew: boolean;
}

export class PlannedUnits {
  readonly units: Map<string, string>;
  readonly marks: Map<string, number>;
  readonly files = new Set<string>();
  readonly #before: FactsIndex | null;

  /** @param isKept Whether units stay as they were, unless they are set or forgotten. */
  constructor(before: FactsIndex | null, isKept: boolean) {
    this.#before = before;
    this.units = new Map(isKept ? before?.units : []);
    this.marks = new Map(isKept ? before?.marks : []);
  }

  /** Names the content of a unit. Returns its object if it is new. */
  set(unit: string, content: FactsContent): FactsObject | undefined {
    const packed = packContent(content);
    const version = versionOf(packed);
    this.units.set(unit, version);
    if (this.#before?.units.get(unit) === version) return undefined;
    return { key: keyOf(unit, version), bytes: compress(packed) };
  }

  /** The same for a unit of stored days, which is read only if it is new or lost operators. */
  mark(
    unit: string,
    { members, isNew }: DayMark,
    read: () => CopiedTable[],
  ): FactsObject | undefined {
    const isKnown = !isNew && this.units.has(unit);
    if (isKnown && this.marks.get(unit) === members) return undefined;
    this.marks.set(unit, members);
    return this.set(unit, { tables: read() });
  }

  forget(unit: string): void {
    this.units.delete(unit);
    this.marks.delete(unit);
  }

  /** Names a file. Returns its object if it is new. */
  file(sha256: string, read: () => Uint8Array | undefined): FactsObject | undefined {
    if (this.files.has(sha256)) return undefined;
    const isStored = this.#before?.files.has(sha256) ?? false;
    const body = isStored ? undefined : read();
    if (isStored || body) this.files.add(sha256);
    return body && { key: fileKey(sha256), bytes: Buffer.from(body) };
  }
}
