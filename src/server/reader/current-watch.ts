import { type Current, isReadable, readCurrent } from '../object-store/current.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';
import type { Logger } from '../process/logger.ts';

const EVERY_MS = 1000;
/** A reader that asks every second need not wait long for one answer. */
const TIMEOUT_MS = 5000;
/**
 * What was not confirmed for this long may have been hidden since, so readers stop showing it. The texts about hiding
 * promise this time.
 */
export const LOST_AFTER_MS = 30_000;

interface CurrentWatchOptions {
  store: Pick<ObjectStore, 'get'>;
  /** Milliseconds from a monotonic clock. */
  nowMs: () => number;
  /** Called with each newer `current`. */
  onCurrent: (current: Current) => void;
  /** Called after each question. */
  onLook: () => void;
  /** Called when this program cannot read what the writer publishes any more. */
  onUnreadable: (error: ReaderError) => void;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** A reader cannot work. The message says why, and what to do. */
export class ReaderError extends Error {
  override readonly name = 'ReaderError';
}

/** Asks the object store again and again what to show. */
export class CurrentWatch {
  readonly #options: CurrentWatchOptions;
  #seen: { value: Current; etag: string } | null = null;
  /** When the last request began whose answer confirmed what is shown. */
  #confirmedMs: number | null = null;
  /** Why the last answer did not confirm it; null if it did. */
  #fault: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: CurrentWatchOptions) {
    this.#options = options;
  }

  /** Whether nothing newer was published more than 30 s ago. */
  get isConfirmed(): boolean {
    return this.ageMs <= LOST_AFTER_MS;
  }

  /** How long ago the store confirmed what is shown; Infinity if it never did. */
  get ageMs(): number {
    return this.#confirmedMs === null ? Infinity : this.#options.nowMs() - this.#confirmedMs;
  }

  /** The newest `current`; null before the first one. */
  get current(): Current | null {
    return this.#seen?.value ?? null;
  }

  /**
   * Reads `current` for the first time, and then every second.
   *
   * @throws {ReaderError} if the store denies it, or this program cannot read it. While the store cannot be reached, it
   *   is asked again.
   */
  async start(): Promise<void> {
    const error = await this.#read();
    if (error instanceof ObjectStoreError && ['denied', 'refused'].includes(error.fault)) {
      throw new ReaderError(error.message);
    }
    this.#schedule(EVERY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Asks once. */
  async look(): Promise<void> {
    try {
      await this.#read();
      this.#options.onLook();
    } catch (error) {
      if (!(error instanceof ReaderError)) throw error;
      this.#options.onUnreadable(error);
    }
  }

  #schedule(inMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      const startedMs = this.#options.nowMs();
      void this.look().finally(() => {
        this.#schedule(Math.max(0, EVERY_MS - (this.#options.nowMs() - startedMs)));
      });
    }, inMs);
  }

  /** Returns the error of the store, if any. */
  async #read(): Promise<ObjectStoreError | null> {
    const askedMs = this.#options.nowMs();
    const unless = this.#seen?.etag;
    const options = { timeoutMs: TIMEOUT_MS, attempts: 1, ...(unless && { unless }) };
    try {
      const found = await readCurrent(this.#options.store, options);
      if (found === null) this.#note('missing');
      else if (found === 'unchanged') this.#confirm(askedMs);
      else this.#take(found, askedMs);
      return null;
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      this.#note(error.fault);
      return error;
    }
  }

  #take(found: { value: Current; etag: string }, askedMs: number): void {
    const { value } = found;
    if (!isReadable(value)) throw unreadable(value);
    // A store that answers with an earlier object may also be hiding a later one.
    if (this.#seen && isOlder(value, this.#seen.value)) return this.#note('outdated');
    this.#seen = found;
    this.#confirm(askedMs);
    this.#options.onCurrent(value);
  }

  #confirm(askedMs: number): void {
    this.#confirmedMs = askedMs;
    this.#note(null);
  }

  /** Logs when the store stops confirming what is shown, and when it does so again. */
  #note(fault: string | null): void {
    const { logger } = this.#options;
    if (fault === this.#fault) return;
    this.#fault = fault;
    if (fault === null) logger.info('store_recovered');
    else logger.warn('store_unconfirmed', { fault });
  }
}

function isOlder(found: Current, seen: Current): boolean {
  if (found.publication !== seen.publication) return found.publication < seen.publication;
  return found.least < seen.least || Date.parse(found.written_at) < Date.parse(seen.written_at);
}

function unreadable({ version }: Current): ReaderError {
  return new ReaderError(
    `The board publishes in a format that this program cannot read. Use the version of the board, which is ${version}.`,
  );
}
