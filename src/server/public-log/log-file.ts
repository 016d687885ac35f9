import {
  type ReadStream,
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { endThread } from '#db/threads/thread-end.ts';
import type { Store } from '#db/store.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import type { HeaderLine } from '#core/schema/public-log.ts';
import { publicBoardsPath, publicLogPath } from '../config/config.ts';
import type { Logger } from '../process/logger.ts';
import { logFailure } from '../process/storage-fault.ts';
import type { BoardCalibration } from './board-calibration.ts';
import type { LogWorkerOptions } from './worker.ts';
import { constants, gunzipSync } from 'node:zlib';
import { readLine } from '#core/domain/log/public-log-line.ts';
import { sha256 } from '../process/crypto.ts';

interface LogFileOptions {
  store: Store;
  folder: string;
  /** The built thread, or its source under test. */
  workerUrl: URL;
  worker: Omit<LogWorkerOptions, 'target'>;
  /** The day of the current publication; null if there is none. */
  asOf: () => string | null;
  /** Gets the calibration of the days in each file. */
  calibration: BoardCalibration;
  logger: Logger;
}

export interface OpenLog {
  bytes: ReadableStream<Uint8Array>;
  size: number;
  etag: string;
}

/** How often the file is checked for being out of date, in milliseconds. */
const LOOK_MS = 60_000;
/** Growth of the log that causes a write before the day ends, so that a new board's file is not empty for long. */
const GROWTH = 1.25;

/** The error that readers get when the file is withdrawn. It is not a fault. */
const WITHDRAWN = Object.assign(new Error('The file was withdrawn'), { code: 'ECONNRESET' });

/**
 * The public log's file. A thread writes it once a day, or sooner if the log has grown by a quarter. If something in
 * it is no longer public, the old file is removed first, and then a new one is written.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #path: string;
  readonly #draft: string;
  readonly #boards: string;
  readonly #reading = new Set<ReadStream>();
  /** The header of the file that can be read now. */
  #stored: HeaderLine | null = null;
  #worker: Worker | null = null;
  /** The end of the log when the thread started. */
  #begunAt = 0;
  /** Changes in progress that hide something. */
  #withdrawals = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#path = publicLogPath({ dataDir: options.folder });
    this.#draft = `${this.#path}.tmp`;
    this.#boards = publicBoardsPath({ dataDir: options.folder });
  }

  /** Uses the existing file if everything in it is still public, and keeps it up to date. */
  start(): void {
    this.#removeDrafts();
    this.#stored = readStoredHeader(this.#path);
    if (!this.#isPublic()) this.#forget();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  /** Opens the file; null if there is none. */
  open(): OpenLog | null {
    const opened = this.#open(this.#path);
    if (!opened) this.#stored = null;
    return opened;
  }

  /** Opens the file without entries; null if there is none. */
  openBoards(): OpenLog | null {
    return this.#open(this.#boards);
  }

  #open(path: string): OpenLog | null {
    const fd = this.#stored && openOrNull(path);
    if (fd === null) return null;
    // Reads the size of the opened file, because the thread may have replaced it meanwhile.
    const { size, mtimeMs } = fstatSync(fd);
    const bytes = createReadStream(path, { fd });
    this.#reading.add(bytes);
    bytes.once('close', () => this.#reading.delete(bytes));
    const etag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
    return { bytes: Readable.toWeb(bytes) as ReadableStream<Uint8Array>, size, etag };
  }

  /** Whether the file, or the one being written, differs from the current visibility of an operator. */
  get isOutdated(): boolean {
    const since = this.#stored?.log_index ?? (this.#worker ? this.#begunAt : undefined);
    return since !== undefined && this.#options.store.publicLog.isSeenOtherwiseSince(since);
  }

  /** Makes the file unavailable, does `work`, and then has the file written again. */
  async withdrawnDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#withdrawals += 1;
    try {
      await this.#withdraw();
      return await work();
    } finally {
      this.#withdrawals -= 1;
      this.#attempt(() => this.#write());
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#withdrawals += 1;
    await this.#stop();
    this.#removeDrafts();
  }

  #removeDrafts(): void {
    for (const path of [this.#draft, `${this.#boards}.tmp`]) rmSync(path, { force: true });
  }

  /** Also ends downloads in progress. */
  async #withdraw(): Promise<void> {
    this.#stored = null;
    for (const bytes of this.#reading) bytes.destroy(WITHDRAWN);
    await this.#stop();
    this.#forget();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (worker) await endThread(worker);
  }

  /** Makes the file unavailable, even if the disk prevents its removal. */
  #forget(): void {
    this.#stored = null;
    this.#attempt(() => {
      this.#removeDrafts();
      for (const path of [this.#path, this.#boards]) rmSync(path, { force: true });
    });
  }

  /** Runs work that is tried again later if it fails. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      logFailure(this.#options.logger, 'public_log_failed', error);
    }
  }

  #isPublic(): boolean {
    if (!this.#stored) return false;
    const { store, worker } = this.#options;
    const { base_url, log_index, entry_hash } = this.#stored;
    const isOwn = base_url === worker.baseUrl && store.log.at(log_index)?.entry_hash === entry_hash;
    return isOwn && !store.publicLog.isSeenOtherwiseSince(log_index);
  }

  #look(): void {
    this.#attempt(() => {
      const asOf = this.#options.asOf();
      if (asOf === null) return;
      if (this.#stored?.as_of !== asOf || this.#hasGrown() || !this.#isCalibrated) this.#write();
    });
  }

  /** Whether the calibration is that of the file. A file of an earlier version has none. */
  get #isCalibrated(): boolean {
    const { current } = this.#options.calibration;
    return current?.log_index === this.#stored?.log_index && current?.as_of === this.#stored?.as_of;
  }

  #hasGrown(): boolean {
    const length = this.#options.store.log.head()?.index ?? 0;
    return length > GROWTH * (this.#stored?.log_index ?? 0);
  }

  #write(): void {
    if (this.#worker || this.#withdrawals > 0) return;
    const { store, workerUrl, worker: options, calibration, logger } = this.#options;
    this.#begunAt = store.log.head()?.index ?? 0;
    const path = this.#path;
    const target = { path, draft: this.#draft, isPacked: true, over: true, boards: this.#boards };
    const worker = new Worker(workerUrl, { workerData: { ...options, target } });
    this.#worker = worker;
    worker.on('error', (error) => logFailure(logger, 'public_log_failed', error));
    worker.once('message', (made: Calibration | null) => {
      if (this.#worker === worker && made) this.#attempt(() => calibration.replace(made));
    });
    worker.once('exit', () => {
      // A stopped worker is not the current one any more.
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#stored = readStoredHeader(this.#path);
    });
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

const HEAD_BYTES = 16 * 1024;

/** Reads the header of a compressed public log; null if there is none that can be read. */
function readStoredHeader(path: string): HeaderLine | null {
  try {
    const text = gunzipSync(headOf(path), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    const { line, isWhole } = readLine(text.slice(0, text.indexOf('\n')), sha256);
    return line?.line === 'header' && isWhole ? line : null;
  } catch {
    return null;
  }
}

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
