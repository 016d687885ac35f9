/** The part of the board's database that pages need, made from facts on demand. */
import type { Store } from '#db/store.ts';
import type { FactsIndex } from './facts-index.ts';

export interface WorkingCopyOptions {
  /** The folder of the program's migrations. */
  migrations: string;
  /** Reads an object; null if there is none. */
  get: (key: string) => Promise<Uint8Array | null>;
  now: () => Date;
  /** The most operators that are kept. Those that were read least recently are dropped first. */
  most?: number;
}

export class WorkingCopy {
  /**
   * Use it inside {@linkcode complete}. Methods that need an operator or a day that is not loaded throw, and are called
   * again later. Methods that only the board's database can answer throw {@linkcode FactsError} `live`.
   */
  readonly store: Store;

  /** Makes an empty copy in a temporary file, which only this process can read. */
  constructor(_options: WorkingCopyOptions) {
    throw new Error('not written yet');
  }

  /** The writer's settings, of the index in use. */
  get settings(): unknown {
    throw new Error('not written yet');
  }

  /**
   * Loads what concerns the whole board, then switches to it at once. Operators that the index does not name are gone
   * when this resolves. If it rejects, the index before stays in use.
   *
   * @throws {FactsError} `missing` or `damaged`.
   */
  async use(_index: FactsIndex): Promise<void> {
    throw new Error('not written yet');
  }

  /** Removes everything at once, before the next index is loaded. */
  forget(): void {
    throw new Error('not written yet');
  }

  /** A file that the index names, by SHA-256. */
  async file(_sha256: string): Promise<Uint8Array> {
    throw new Error('not written yet');
  }

  /**
   * Runs `work` until it needs nothing that is not loaded, and loads the rest in between. Runs may overlap. If `work`
   * answers with an error of its own because something was missing, it is run again.
   *
   * @throws {FactsError} `missing`, `damaged` or `live`.
   */
  async complete<Result>(_work: () => Promise<Result>): Promise<Result> {
    throw new Error('not written yet');
  }

  close(): void {
    throw new Error('not written yet');
  }
}
