import { dropLeftovers, expireBackups } from './backups.ts';
import type { Watch } from '../process/admin-watch.ts';
import type { Logger } from '../process/logger.ts';
import { ClockWatch } from '../publication/clock-watch.ts';
import { logFailure } from '../process/storage-fault.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Deletes what was left in a data folder, and once the process has run for an hour the backups that the program made
 * itself and that are old: a machine that starts with a wrong clock has been told the time by then. Nothing is
 * deleted for an hour after the clock was set. Only who has the folder's lock may call it.
 */
export function watchBackups(dataDir: string, logger: Logger): Watch {
  const clock = new ClockWatch();
  const isClockSure = () => clock.look(Date.now(), performance.now()).isSettled;
  const attempt = (event: string, work: () => string[]) => {
    try {
      const deleted = work();
      if (deleted.length > 0) logger.info(event, { backups: deleted.join(', ') });
    } catch (error) {
      logFailure(logger, 'backups_not_expired', error);
    }
  };
  isClockSure();
  attempt('leftovers_deleted', () => dropLeftovers(dataDir));
  const timer = setInterval(() => {
    if (isClockSure()) attempt('backups_expired', () => expireBackups(dataDir, new Date()));
  }, HOUR_MS).unref();
  return { stop: () => clearInterval(timer) };
}
