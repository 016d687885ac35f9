/** What the uploader reports of itself, in `/readyz`, metrics, the log and `doctor`. */
import type { Logger } from '../process/logger.ts';
import { ObjectStoreError } from './object-store.ts';

/**
 * - `starting`: nothing was confirmed yet
 * - `ok`: the last request succeeded
 * - `failing`: the last request failed, or an upload did
 * - `fenced`: another machine is the writer
 */
export type UploadState = 'starting' | 'ok' | 'failing' | 'fenced';

/** How often a lasting failure is logged again, because this machine may have been replaced meanwhile. */
const AGAIN_MS = 600_000;

export class UploadStatus {
  state: UploadState = 'starting';
  /** Since the process started. */
  objects = 0;
  bytes = 0;
  failures = 0;
  /** When readers could last get what this board shows, in milliseconds since 1970. */
  confirmedMs: number | null = null;
  readonly #logger: Logger;
  readonly #nowMs: () => number;
  /** What an upload, or a look, failed of, and when that was logged. */
  readonly #faults = new Map<'look' | 'upload', { fault: string; loggedMs: number }>();

  /** @param nowMs Milliseconds from a monotonic clock. */
  constructor(logger: Logger, nowMs = () => performance.now()) {
    this.#logger = logger;
    this.#nowMs = nowMs;
  }

  /** Whether other machines get changes at once. */
  get isReachable(): boolean {
    return this.state === 'ok';
  }

  /** Adds what an upload wrote. */
  count({ objects, bytes }: { objects: number; bytes: number }): void {
    this.objects += objects;
    this.bytes += bytes;
  }

  /** @param error Null if the part succeeded. */
  note(part: 'look' | 'upload', error: unknown): void {
    if (this.state === 'fenced') return;
    if (error === null) this.#faults.delete(part);
    else this.#fail(part, error);
    const isFailing = this.#faults.size > 0;
    if (this.state === 'failing' && !isFailing) this.#logger.info('object_store_recovered');
    this.state = isFailing ? 'failing' : 'ok';
  }

  #fail(part: 'look' | 'upload', error: unknown): void {
    this.failures += 1;
    const isKnown = error instanceof ObjectStoreError;
    const fault = isKnown ? error.fault : 'failed';
    const last = this.#faults.get(part);
    const nowMs = this.#nowMs();
    if (last?.fault === fault && nowMs - last.loggedMs < AGAIN_MS) return;
    this.#faults.set(part, { fault, loggedMs: nowMs });
    if (isKnown) this.#logger.warn('object_store_failed', { fault, reason: error.message });
    else this.#logger.error('object_store_failed', error, { fault });
  }
}
