/** Looks every few seconds whether this machine still is the writer. */
import type { Config } from '../config/config.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';
import {
  FencedError,
  type WriterClaim,
  confirmClaim,
  noteReplaced,
  readClaim,
} from './writer-claim.ts';

const LOOK_MS = 4_000;
/**
 * How long an answer is good for, from the question on. A machine that takes over waits for a little longer
 * (`promoting.ts`) before it goes on.
 */
const GOOD_FOR_MS = 5_500;
/** The answer must come before the next look. */
const LOOK_OPTIONS = { timeoutMs: 3_500, attempts: 1 };

interface FenceOptions {
  store: ObjectStore;
  config: Pick<Config, 'dataDir'>;
  logSize: () => number;
  now: () => Date;
  /** Called once, when another machine has become the writer. */
  onFenced: (error: FencedError) => void;
  /** Called after each look, with the error if the store could not be asked. */
  onLooked: (error: ObjectStoreError | null) => void;
}

export class Fence {
  readonly #options: FenceOptions;
  #claim: WriterClaim | null = null;
  #etag: string | null = null;
  #fenced: FencedError | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FenceOptions) {
    this.#options = options;
  }

  /** The ID of the claim; null before the store could be asked. */
  get writer(): string | null {
    return this.#claim?.writer ?? null;
  }

  get fenced(): FencedError | null {
    return this.#fenced;
  }

  start(): void {
    const look = async () => {
      await this.confirm().catch(() => undefined);
      if (!this.#fenced) this.#timer = setTimeout(() => void look(), LOOK_MS).unref();
    };
    this.#timer = setTimeout(() => void look(), LOOK_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Asks the store. Claims it at first.
   *
   * @returns How many milliseconds a write may take that depends on the answer.
   * @throws {FencedError} if another machine is the writer.
   * @throws {ObjectStoreError} if the store cannot be asked.
   */
  async confirm(): Promise<number> {
    if (this.#fenced) throw this.#fenced;
    const askedMs = performance.now();
    try {
      await this.#ask();
      this.#options.onLooked(null);
      return Math.max(1, askedMs + GOOD_FOR_MS - performance.now());
    } catch (error) {
      if (error instanceof FencedError) this.#end(error);
      if (error instanceof ObjectStoreError) this.#options.onLooked(error);
      throw error;
    }
  }

  async #ask(): Promise<void> {
    const { store, config, logSize, now } = this.#options;
    if (!this.#claim) {
      const options = { dataDir: config.dataDir, logSize: logSize(), now: now() };
      this.#claim = await confirmClaim(store, options);
      return;
    }
    const unless = this.#etag === null ? {} : { unless: this.#etag };
    const found = await readClaim(store, { ...LOOK_OPTIONS, ...unless });
    if (found === 'unchanged') return;
    if (found === null) throw new ObjectStoreError('refused', 'The object "writer" is missing.');
    if (found.value.writer !== this.#claim.writer) throw new FencedError(found.value);
    this.#etag = found.etag;
  }

  #end(error: FencedError): void {
    this.stop();
    this.#fenced = error;
    this.#options.onFenced(error);
    // One that was not confirmed before may only have the address of another board.
    if (this.#claim) noteReplaced(this.#options.config.dataDir, this.#claim, error);
  }
}
