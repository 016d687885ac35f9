/** Shutdown: orderly after a signal, immediate after an unexpected error. */
import type { Server } from 'node:http';
import type { DataLock } from '#db/engine/data-lock.ts';
import type { Store } from '#db/store.ts';
import type { AppContext } from './context.ts';
import type { ScheduledBackups } from './backups/scheduled-backups.ts';
import { type Requests, drain } from './http/requests.ts';
import type { Logger } from './process/logger.ts';
import { mailsSettled } from './mail/mailer.ts';
import type { Uploader } from './object-store/uploader.ts';
import type { ParquetUploads } from './parquet/parquet-uploads.ts';
import type { Publisher } from './publication/publisher.ts';
import type { Queues } from './publication/worker.ts';
import type { LogFile } from './public-log/log-file.ts';
import type { CurrentWatch } from './reader/current-watch.ts';
import type { WriterProxy } from './reader/writer-proxy.ts';

/** How long requests in progress may take to finish, and then emails. */
const GRACE_MS = 5_000;
const MAIL_MS = 2_000;
/** When the process ends, even if work remains. */
const DEADLINE_MS = 9_000;
/**
 * A terminal and npm each pass on the same signal, and systemd sends it to all processes. A later signal counts as a
 * second one.
 */
const SAME_SIGNAL_MS = 1_000;
/**
 * On Windows, Ctrl+Break and closing the console also stop the board. Elsewhere, a board may outlive its terminal:
 * listening to SIGHUP would undo `nohup`.
 */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

export interface Running {
  lock?: DataLock;
  note?: { end(): void };
  server?: Server;
  store?: Store;
  /** On a reader, what it shows. */
  publisher?: Pick<Publisher, 'close' | 'edition'>;
  reader?: { watch: CurrentWatch; writer: WriterProxy | null };
  publicLog?: LogFile;
  checkpoints?: AppContext['checkpoints'];
  witnesses?: NonNullable<AppContext['witnesses']>;
  backups?: ScheduledBackups;
  objectStore?: Uploader;
  parquet?: ParquetUploads;
  /** The publisher's background work that is left. */
  queues?: Queues;
  isServing?: boolean;
  watches: { stop(): void }[];
}

interface LifecycleOptions {
  requests: Requests;
  logger: Logger;
}

export class Lifecycle {
  readonly running: Running = { watches: [] };
  readonly #options: LifecycleOptions;
  #endingSinceMs: number | null = null;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  get isEnding(): boolean {
    return this.#endingSinceMs !== null;
  }

  /**
   * Ends all work that writes, for good, because another machine is the writer. The process goes on only to answer
   * probes.
   */
  endWrites(): void {
    const { watches, publisher, publicLog, backups, parquet } = this.running;
    watches.forEach((watch) => watch.stop());
    this.running.isServing = false;
    const threads = Promise.all([
      publisher?.close(),
      publicLog?.close(),
      backups?.close(),
      parquet?.close(),
    ]);
    threads.catch((error: unknown) => this.#options.logger.error('stop_failed', error));
  }

  /** Ends the process on a signal, or after an error that leaves it in an unknown state. */
  listen(): void {
    for (const name of SIGNALS) process.on(name, () => this.#hear(name));
    process.on('uncaughtException', (error, origin) => {
      this.#options.logger.error('crashed', error, { origin });
      process.exit(1);
    });
    // The reader of these streams may exit first.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  #hear(signal: string): void {
    if (this.#endingSinceMs === null) {
      this.#endingSinceMs = performance.now();
      this.#options.logger.info('stopping', { signal });
      void this.#end(this.#endingSinceMs);
    } else if (performance.now() - this.#endingSinceMs > SAME_SIGNAL_MS) {
      this.#options.logger.warn('stopped_at_once', { signal });
      this.running.note?.end();
      process.exit(1);
    }
  }

  async #end(sinceMs: number): Promise<void> {
    const { logger } = this.#options;
    setTimeout(() => {
      logger.warn('stopped_late', { after_ms: DEADLINE_MS });
      this.running.note?.end();
      process.exit(0);
    }, DEADLINE_MS);
    try {
      await this.#finish();
      logger.info('stopped', { after_ms: Math.round(performance.now() - sinceMs) });
    } catch (error) {
      logger.error('stop_failed', error);
    }
    process.exit(0);
  }

  /**
   * Writes are durable before they are answered. Closing the store moves them from the write-ahead log into the
   * database.
   */
  async #finish(): Promise<void> {
    const { watches, server, publisher, publicLog, backups, parquet } = this.running;
    watches.forEach((watch) => watch.stop());
    const threads = Promise.all([
      publisher?.close(),
      publicLog?.close(),
      backups?.close(),
      parquet?.close(),
    ]);
    if (server) await drain(server, this.#options.requests, GRACE_MS);
    await Promise.race([mailsSettled(), new Promise((resolve) => setTimeout(resolve, MAIL_MS))]);
    await threads;
    this.running.store?.close();
    this.running.note?.end();
    this.running.lock?.release();
  }
}
