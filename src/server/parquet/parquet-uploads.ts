import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Store } from '#db/store.ts';
import { PARQUET } from '../object-store/keys.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';
import type { Logger } from '../process/logger.ts';
import { logFailure } from '../process/storage-fault.ts';
import type { WriteInThread } from './parquet-thread.ts';
import type { WrittenParquet } from './write-parquet.ts';

const LOOK_MS = 60_000;
/** How long uploads pause after a failure, because each one writes the file again. */
const RETRY_MS = 10 * LOOK_MS;
/** How long an operator who hides waits for the deletion. The board tries again every minute. */
const PATIENCE_MS = 2_000;

const LATEST = `${PARQUET}latest.parquet`;
const HEADERS = {
  contentType: 'application/vnd.apache.parquet',
  cacheControl: 'public, max-age=60',
};

interface ParquetUploadsOptions {
  objects: Pick<ObjectStore, 'delete' | 'list' | 'put'>;
  store: Store;
  /** The path of the file until it is uploaded. */
  path: string;
  write: WriteInThread;
  /** Whether everyone may read the board. What a board for members has in the store is deleted elsewhere. */
  isPublic: () => boolean;
  /** Whether this machine may write into the object store. */
  isWriter: () => Promise<boolean>;
  now: () => Date;
  logger: Logger;
}

/**
 * Copies the daily counts of open operators to the object store: once a day, after each start, and within a minute after
 * an operator's visibility changed. Only the newest file stays. When an operator hides, it is deleted first.
 */
export class ParquetUploads {
  readonly #options: ParquetUploadsOptions;
  /** What the file in the store follows; null if there is none, or one of an earlier process. */
  #stored: (WrittenParquet & { uploadedMs: number }) | null = null;
  /** Whether a file that shows too much may be in the store. */
  #mustRemove = false;
  #running: Promise<void> | null = null;
  #making: AbortController | null = null;
  #pausedUntilMs = 0;
  #isFailing = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ParquetUploadsOptions) {
    this.#options = options;
  }

  /** What metrics report: when the file in the store was uploaded, if it was. Null on boards for members. */
  get status(): { isFailing: boolean; uploadedMs: number | null } | null {
    if (!this.#options.isPublic()) return null;
    return { isFailing: this.#isFailing, uploadedMs: this.#stored?.uploadedMs ?? null };
  }

  start(): void {
    rmSync(this.#options.path, { force: true });
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  /** Uploads a file if one is due. Never rejects. */
  look(): Promise<void> {
    this.#running ??= this.#update()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Deletes the file, because somebody hides. Resolves when it is gone, or after two seconds. Never rejects. */
  async withdraw(): Promise<void> {
    this.#making?.abort();
    this.#stored = null;
    this.#mustRemove = true;
    const removed = this.#remove().catch((error: unknown) => this.#fail(error));
    await Promise.race([removed, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#making?.abort();
    await Promise.race([this.#running, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  async #update(): Promise<void> {
    if (this.#mustRemove) await this.#remove();
    if (!this.#isDue() || !(await this.#options.isWriter())) return;
    const making = new AbortController();
    this.#making = making;
    try {
      await this.#upload(making.signal);
    } catch (error) {
      if (!making.signal.aborted) {
        this.#pausedUntilMs = this.#options.now().getTime() + RETRY_MS;
        // The file of an earlier process may show somebody who has hidden since.
        this.#mustRemove ||= this.#stored === null;
        throw error;
      }
    } finally {
      this.#making = null;
    }
    // An interrupted upload may have written the file after it was deleted.
    if (this.#mustRemove) await this.#remove();
  }

  #isDue(): boolean {
    const { isPublic, store, now } = this.#options;
    const nowMs = now().getTime();
    if (this.#isClosed || !isPublic() || nowMs < this.#pausedUntilMs) return false;
    return this.#stored?.as_of !== utcDay(nowMs) || isOutdated(store, this.#stored);
  }

  async #upload(signal: AbortSignal): Promise<void> {
    const { objects, store, path, write, isPublic, now, logger } = this.#options;
    const written = await write(path, now(), signal);
    const bytes = await readFile(path).finally(() => rmSync(path, { force: true }));
    const key = `${PARQUET}${written.as_of}.parquet`;
    for (const name of [key, LATEST]) {
      signal.throwIfAborted();
      await objects.put(name, bytes, HEADERS);
    }
    this.#mustRemove ||= !isPublic() || isOutdated(store, written);
    if (this.#mustRemove) return;
    const others = (await objects.list(PARQUET)).filter((name) => name !== key && name !== LATEST);
    if (others.length > 0) await objects.delete(others);
    if (signal.aborted) return;
    this.#stored = { ...written, uploadedMs: now().getTime() };
    this.#isFailing = false;
    logger.info('parquet_uploaded', { rows: written.rows, bytes: bytes.length });
  }

  async #remove(): Promise<void> {
    const { objects, isWriter } = this.#options;
    this.#stored = null;
    if (!(await isWriter())) return;
    const keys = await objects.list(PARQUET);
    if (keys.length > 0) await objects.delete(keys);
    // An upload in progress may write it again. It then deletes it itself.
    this.#mustRemove = this.#making !== null;
  }

  /** Logs the first of several failures. */
  #fail(error: unknown): void {
    const { logger } = this.#options;
    if (this.#isFailing) return;
    this.#isFailing = true;
    if (error instanceof ObjectStoreError) logger.warn('parquet_failed', { reason: error.message });
    else logFailure(logger, 'parquet_failed', error);
  }
}

/** Whether an operator's visibility has changed since a file was written. */
function isOutdated(store: Store, { log_index }: WrittenParquet): boolean {
  return store.publicLog.isSeenOtherwiseSince(log_index);
}
