/** The index of facts: which objects hold what pages need beside the publication. */

/** The objects that hold a complete day's places or values, by group of operators. */
export interface DayFacts {
  /** For each group of 4,096 operators: how many members its chunks have, and the versions of its objects. */
  groups: Map<number, { members: number; places: string; values: string | null }>;
  /** Whether the values are no longer stored. */
  thinned: boolean;
}

export interface FactsIndex {
  /** The last log entry, and the last change outside the log, that the facts contain. */
  log_index: number;
  change: number;
  /** The version of the object with what concerns the whole board. */
  board: string;
  /** The names of operators, by group of 4,096: versions of objects. */
  names: Map<number, string>;
  /** Operators with a page, by internal number: versions of objects. */
  operators: Map<number, string>;
  days: Map<string, DayFacts>;
  /** SHA-256 of files, hex: pictures of operators, and the board's own files. */
  files: Set<string>;
}

/** An object to store. Its content never changes. */
export interface FactsObject {
  key: string;
  bytes: Buffer;
}

/** The object of an index, whose key names its content. */
export function writeIndex(_index: FactsIndex): FactsObject {
  throw new Error('not written yet');
}

/** @throws {FactsError} `damaged`. */
export function readIndex(_bytes: Uint8Array): FactsIndex {
  throw new Error('not written yet');
}
