/**
 * Copies what the board shows to the object store: the log, facts, publications, and then `current`, which names them.
 * One upload at a time, always of the newest state. A store that fails never stops the board.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../context.ts';
import { Fence } from './fence.ts';
import type { GetOptions, ObjectStore } from './object-store.ts';
import { Superseded, Upload } from './upload.ts';
import { UploadStatus } from './upload-status.ts';
import { FencedError } from './writer-claim.ts';

/** How long a change that hides something waits for the next publication, before readers must show nothing. */
const PATIENCE_MS = 1_000;
/** How long its answer waits for that. */
const WITHDRAWAL_MS = 1_500;
/** How often the board looks whether what all pages contain has changed, or something can be deleted. */
const LOOK_MS = 1_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

export type UploaderContext = Pick<
  AppContext,
  'checkpoints' | 'config' | 'logger' | 'now' | 'release' | 'store'
>;

export interface UploaderOptions {
  ctx: UploaderContext;
  store: ObjectStore;
  /** The folder of the files that pages name by a hash. */
  assets: string;
  /** Changes with what all pages contain. */
  siteVersion: () => string;
  /** Makes a publication with a number above another, which shares nothing with earlier ones. */
  publishAbove: (id: number) => Promise<void>;
  /** Called once, when another machine has become the writer. */
  onFenced: (error: FencedError) => void;
  /** How long readers may need to follow an update. */
  followMs?: number;
}

export class Uploader {
  readonly status: UploadStatus;
  readonly #options: UploaderOptions;
  readonly #fence: Fence;
  readonly #upload: Upload;
  #isStarted = false;
  #isWoken = false;
  #isStopped = false;
  #running: Promise<void> | null = null;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(options: UploaderOptions) {
    this.#options = options;
    const { ctx, store, onFenced } = options;
    this.status = new UploadStatus(ctx.logger);
    this.#fence = new Fence({
      store,
      config: ctx.config,
      logSize: () => ctx.store.log.head()?.index ?? 0,
      now: ctx.now,
      onFenced: (error) => {
        this.stop();
        this.status.state = 'fenced';
        ctx.logger.error('fenced', error);
        onFenced(error);
      },
      onLooked: (error) => this.status.note('look', error),
    });
    this.#upload = new Upload({
      ...options,
      store: guarded(store, () => this.#fence.confirm()),
      status: this.status,
      fence: this.#fence,
      isStopped: () => this.#isStopped,
      isWoken: () => this.#isWoken,
    });
  }

  /**
   * Claims the store for this machine. If it cannot be reached, that happens later.
   *
   * @throws {FencedError} if another machine is the writer.
   */
  async claim(): Promise<void> {
    await this.#fence.confirm().catch((error: unknown) => {
      if (error instanceof FencedError) throw error;
    });
  }

  start(): void {
    this.#isStarted = true;
    this.#fence.start();
    let shown = this.#options.siteVersion();
    this.#look = setInterval(() => {
      const now = this.#options.siteVersion();
      if (now !== shown || this.#upload.hasUnneeded) this.wake();
      shown = now;
    }, LOOK_MS).unref();
    this.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#fence.stop();
    clearInterval(this.#look);
    clearTimeout(this.#retry);
  }

  /** Uploads what is new, now or after the upload in progress. */
  wake(): void {
    if (this.#isStopped || !this.#isStarted) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Resolves when no upload is left. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /**
   * Makes other machines stop showing publications before one. Resolves once they will, or after two and a half seconds. If
   * the store cannot be reached by then, they stop by themselves, because they cannot reach it either.
   */
  async hideBefore(publication: number): Promise<void> {
    if (this.#isStopped || !this.#isStarted) return;
    const shown = this.#upload.hideBefore(publication);
    this.wake();
    const isShown = await Promise.race([shown, wait(PATIENCE_MS, false, { ref: false })]);
    if (isShown) return;
    const withdrawn = this.#upload.withdraw().catch((error: unknown) => {
      this.status.note('upload', error);
    });
    await Promise.race([withdrawn, wait(WITHDRAWAL_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      clearTimeout(this.#retry);
      try {
        await this.#upload.run();
        this.status.note('upload', null);
        this.#retryMs = FIRST_RETRY_MS;
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #fail(error: unknown): void {
    if (error instanceof FencedError || this.#isStopped) return;
    if (error instanceof Superseded) return void (this.#isWoken = true);
    this.status.note('upload', error);
    this.#retry = setTimeout(() => this.wake(), this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }
}

/** A store in which only the writer deletes, also if it waited for a list, because the objects may be of a new writer. */
function guarded(store: ObjectStore, confirm: () => Promise<unknown>): ObjectStore {
  return {
    get: ((key: string, options: GetOptions = {}) => store.get(key, options)) as ObjectStore['get'],
    put: (key, bytes, options) => store.put(key, bytes, options),
    list: (prefix) => store.list(prefix),
    async delete(keys) {
      if (keys.length === 0) return;
      await confirm();
      await store.delete(keys);
    },
  };
}
