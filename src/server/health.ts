import type { Store } from '#db/store.ts';
import type { Health } from './http/health.ts';
import type { Lifecycle, Running } from './lifecycle.ts';
import type { Logger } from './process/logger.ts';
import type { UploadStatus } from './object-store/upload-status.ts';
import { type StorageFault, storageFaultOf } from './process/storage-fault.ts';

export function healthOf({ isEnding, running }: Lifecycle, age: PublicationAge): Health {
  const { store, publisher, backups, objectStore } = running;
  return {
    process: processState(isEnding, running),
    database: store ? faultOf(store) : 'ok',
    publication: publisher?.edition ? age.condition : null,
    backup: backups?.health ?? null,
    object_store: objectStore ? storeHealthOf(objectStore.status) : null,
    ...logHealthOf(running),
  };
}

function processState(isEnding: boolean, { objectStore, isServing }: Running): Health['process'] {
  if (isEnding) return 'stopping';
  if (objectStore?.status.state === 'fenced') return 'fenced';
  return isServing ? 'ok' : 'starting';
}

function storeHealthOf({ state, confirmedMs }: UploadStatus): Health['object_store'] {
  const age_s = confirmedMs === null ? null : Math.floor((Date.now() - confirmedMs) / 1000);
  return { state, age_s };
}

function logHealthOf({
  checkpoints,
  witnesses,
}: Running): Pick<Health, 'checkpoint' | 'witnesses'> {
  return {
    checkpoint: checkpoints ? (checkpoints.fault ?? 'ok') : null,
    witnesses: witnesses ? (witnesses.hasAlarm ? 'alarm' : 'ok') : null,
  };
}

function faultOf(store: Store): StorageFault | 'ok' {
  try {
    store.confirmFile();
    store.log.head();
    return 'ok';
  } catch (error) {
    return storageFaultOf(error) ?? 'failed';
  }
}

/** Prevents a board that publishes every few seconds from counting as stale after a short pause. */
const FLOOR_MS = 60_000;
const MISSED = 3;
/** How often the age is checked, and how often a lasting problem is logged again. */
const LOOK_MS = 5_000;
const AGAIN_MS = 600_000;

export function staleAfterMs(refreshMs: number): number {
  return Math.max(MISSED * refreshMs, FLOOR_MS);
}

interface PublicationAgeOptions {
  refreshMs: number;
  /** Milliseconds from a monotonic clock. */
  nowMs: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Called with the age when it becomes too high, and again at intervals while it returns false. */
  onStale?: (age_s: number) => boolean;
}

/** The age of what readers see, and whether any of it was wrong. Logs a warning while it is too old. */
export class PublicationAge {
  readonly #options: PublicationAgeOptions;
  readonly #staleMs: number;
  /** When the published data was last known to be up to date; initially when the process started. */
  #sinceMs: number;
  #toldMs: number | null = null;
  #hasDiffered = false;
  #isAnnounced = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PublicationAgeOptions) {
    this.#options = options;
    this.#staleMs = staleAfterMs(options.refreshMs);
    this.#sinceMs = options.nowMs();
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  checked(): void {
    const age_s = this.seconds;
    this.#sinceMs = this.#options.nowMs();
    if (this.#toldMs === null) return;
    this.#toldMs = null;
    this.#isAnnounced = false;
    this.#options.logger.info('publication_recovered', { after_s: age_s });
  }

  /** Notes that data in memory differed from the database. */
  differed(): void {
    this.#hasDiffered = true;
  }

  get condition(): NonNullable<Health['publication']> {
    return { age_s: this.seconds, stale: this.isStale, differed: this.#hasDiffered };
  }

  /** Logs a warning if the published data is too old: immediately, and again at intervals. */
  look(): void {
    const nowMs = this.#options.nowMs();
    if (!this.isStale || (this.#toldMs !== null && nowMs - this.#toldMs < AGAIN_MS)) return;
    this.#toldMs = nowMs;
    this.#options.logger.warn('publication_stale', { age_s: this.seconds });
    this.#isAnnounced ||= this.#options.onStale?.(this.seconds) ?? true;
  }

  get seconds(): number {
    return Math.floor((this.#options.nowMs() - this.#sinceMs) / 1000);
  }

  get isStale(): boolean {
    return this.#options.nowMs() - this.#sinceMs > this.#staleMs;
  }
}
