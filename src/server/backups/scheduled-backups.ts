import { existsSync } from 'node:fs';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { BackupConfig } from '../config/operation-config.ts';
import { type Actor, BOARD } from '../process/admin-actions.ts';
import { BackupError } from '../process/backup-error.ts';
import type { Logger } from '../process/logger.ts';
import { logFailure } from '../process/storage-fault.ts';
import { ClockWatch } from '../publication/clock-watch.ts';
import type { Backup } from './backup-file.ts';
import type { MakeBackup } from './backup-thread.ts';
import { datedBackupPath, newestBackupAt, pruneBackups } from './dated-backups.ts';

/** How often the schedule is checked, and how long to wait after a failure. */
const LOOK_MS = 60_000;
const RETRY_MS = 60 * 60_000;
/** The highest age of the newest backup. One that failed once is not too old yet. */
export const LATE_MS = 2 * DAY_MS;

interface ScheduledBackupsOptions extends BackupConfig {
  database: string;
  make: MakeBackup;
  /** Records a backup in the board, so that admins see its time, and who started it. */
  record: (path: string, now: Date, by: Actor) => void;
  /** Called after each failure. */
  onFailure: (error: unknown) => void;
  now: () => Date;
  /** A monotonic clock in milliseconds. */
  steadyMs: () => number;
  logger: Logger;
}

/** The last backup that this process made. */
interface LastBackup {
  bytes: number;
  seconds: number;
}

/** How an attempt ended. */
type BackupOutcome = { endedAt: Date } & (LastBackup | { failure: string });

/**
 * Backs up the board once a day, and again later if that failed. A board that did not run at the time of day makes its
 * backup when it starts.
 */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions;
  readonly #ending = new AbortController();
  readonly #clock = new ClockWatch();
  readonly #startedAt: Date;
  #running: { since: Date; ended: Promise<void> } | null = null;
  #outcome: BackupOutcome | null = null;
  #timer: NodeJS.Timeout | undefined;
  #newestAt: Date | null = null;
  /** When the last attempt failed, by the monotonic clock; null if it did not. */
  #failedMs: number | null = null;
  #last: LastBackup | null = null;

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  /** Interrupts the backup that is being made. Resolves when its incomplete file is deleted. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running?.ended;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** The last backup that this process made; null before the first. */
  get last(): LastBackup | null {
    return this.#last;
  }

  /** Since when a backup is being made, and how the last attempt of this process ended; each null if there is none. */
  get status() {
    return { runningSince: this.#running?.since ?? null, outcome: this.#outcome } as const;
  }

  /** Whether backups are made, and the age of the newest in seconds. */
  get health() {
    const nowMs = this.#options.now().getTime();
    const age_s = this.#newestAt && Math.floor((nowMs - this.#newestAt.getTime()) / 1000);
    const since = this.#newestAt ?? this.#startedAt;
    const isLate = nowMs - since.getTime() > LATE_MS;
    const state = this.#failedMs !== null ? 'failed' : isLate ? 'late' : 'ok';
    return { state, age_s } as const;
  }

  /** Makes a backup if one is due. Never rejects. */
  async look(): Promise<void> {
    const { folder, atMinutes, now, steadyMs } = this.#options;
    this.#isClockSure();
    if (this.#running) return this.#running.ended;
    if (this.#failedMs !== null && steadyMs() - this.#failedMs < RETRY_MS) return;
    try {
      this.#newestAt = newestBackupAt(folder, now());
    } catch (error) {
      return this.#fail(error);
    }
    if (isDue(this.#newestAt, atMinutes, now())) await this.makeNow();
  }

  /** Starts a backup for somebody. Returns false if one is being made, which goes on alone. */
  makeFor(by: Actor): boolean {
    if (this.#running) return false;
    void this.makeNow(by);
    return true;
  }

  /** Makes a backup, or waits for the one that is being made. Never rejects: `status` has the outcome. */
  makeNow(by = BOARD): Promise<void> {
    if (!this.#running) {
      const since = this.#options.now();
      const ended = this.#make(by).finally(() => {
        this.#running = null;
      });
      this.#running = { since, ended };
    }
    return this.#running.ended;
  }

  async #make(by: Actor): Promise<void> {
    const { folder, database, make, now, steadyMs, logger } = this.#options;
    const startedMs = steadyMs();
    const madeAt = now();
    const path = datedBackupPath(folder, madeAt);
    // One that was made in the same second has this name, and nothing newer to contain.
    if (existsSync(path)) return;
    try {
      const { bytes } = await make({ database, path }, this.#ending.signal);
      const seconds = (steadyMs() - startedMs) / 1000;
      this.#last = { bytes, seconds };
      this.#outcome = { endedAt: now(), ...this.#last };
      this.#newestAt = madeAt;
      this.#failedMs = null;
      logger.info('backup_made', { path, bytes, ms: Math.round(seconds * 1000) });
      this.#finish({ path }, madeAt, by);
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#fail(error);
    }
  }

  /** The backup is complete and verified, whatever fails here. */
  #finish({ path }: Pick<Backup, 'path'>, madeAt: Date, by: Actor): void {
    const { folder, keep, record, now, logger } = this.#options;
    try {
      record(path, madeAt, by);
    } catch (error) {
      logFailure(logger, 'backup_not_recorded', error);
    }
    try {
      const isClockSure = this.#isClockSure();
      const deleted = pruneBackups(path, { folder, keep, now: now(), isClockSure });
      if (deleted.length > 0) logger.info('backups_expired', { backups: deleted.join(', ') });
    } catch (error) {
      logFailure(logger, 'backups_not_expired', error);
    }
  }

  #isClockSure(): boolean {
    return this.#clock.look(this.#options.now().getTime(), this.#options.steadyMs()).isSettled;
  }

  #fail(error: unknown): void {
    const { logger, now, steadyMs, onFailure } = this.#options;
    this.#failedMs = steadyMs();
    this.#outcome = { endedAt: now(), failure: failureText(error) };
    if (error instanceof BackupError) logger.warn('backup_failed', { reason: error.message });
    else logFailure(logger, 'backup_failed', error);
    try {
      onFailure(error);
    } catch (fault) {
      logFailure(logger, 'backup_failure_not_announced', fault);
    }
  }
}

/** What an admin reads. The message of an unexpected error can be a stack trace. */
function failureText(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  return 'An unexpected error. Read the log of the board: backup_failed has the reason.';
}

/** Whether the newest backup is from before the last time of day at which one is made. */
export function isDue(newestAt: Date | null, atMinutes: number, now: Date): boolean {
  if (newestAt === null) return true;
  const time = new Date(now).setUTCHours(0, atMinutes, 0, 0);
  return newestAt.getTime() < (time <= now.getTime() ? time : time - DAY_MS);
}
