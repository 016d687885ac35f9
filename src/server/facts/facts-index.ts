/** The index of facts: which objects hold what pages need in addition to the publication. */
import {
  versionOf,
  compress,
  fileKey,
  keyOf,
  readObject,
  type FactsObject,
} from './facts-object.ts';
import { FactsError } from './facts-error.ts';

export interface FactsIndex {
  /** The last log entry, and the last change outside the log, that the facts contain. */
  log_index: number;
  change: number;
  /**
   * The version of each unit. Units are `board`, `pictures`, `names/GROUP`, `operators/ID`, `challenges/NUMBER/PAGE`,
   * `days/DAY/GROUP`, `values/DAY/CHUNK` and `ranks/MONTH/CHUNK`.
   */
  units: ReadonlyMap<string, string>;
  /** Numbers of stored days that change when an operator is removed from them, by unit. */
  marks: ReadonlyMap<string, number>;
  /** The state of each stored day. */
  days: ReadonlyMap<string, string>;
  /** SHA-256 of files, hex: pictures of operators, and the board's own files. */
  files: ReadonlySet<string>;
}

const FORMAT = 1;
const UNIT = 'index';

/** The object of an index, whose key names its content. */
export function writeIndex(index: FactsIndex): FactsObject {
  const { units, marks, days, files, ...head } = index;
  const lists = { units: [...units], marks: [...marks], days: [...days], files: [...files] };
  const content = Buffer.from(JSON.stringify({ format: FORMAT, ...head, ...lists }));
  return { key: keyOf(UNIT, versionOf(content)), bytes: compress(content) };
}

/**
 * Reads the object of an index.
 *
 * @throws {FactsError} `missing`, or `damaged`, also if another program's format cannot be read.
 */
export function readIndex(key: string, bytes: Uint8Array | null): FactsIndex {
  const stored = JSON.parse(readObject(key, bytes).toString()) as StoredIndex;
  if (stored.format !== FORMAT) throw new FactsError('damaged', `${key} has an unknown format`);
  const { log_index, change, units, marks, days, files } = stored;
  return {
    log_index,
    change,
    units: new Map(units),
    marks: new Map(marks),
    days: new Map(days),
    files: new Set(files),
  };
}

interface StoredIndex {
  format: number;
  log_index: number;
  change: number;
  units: [string, string][];
  marks: [string, number][];
  days: [string, string][];
  files: string[];
}

/** The keys of all objects that an index names. */
export function* keysOf({ units, files }: FactsIndex): Generator<string> {
  for (const [unit, version] of units) yield keyOf(unit, version);
  for (const sha256 of files) yield fileKey(sha256);
}
