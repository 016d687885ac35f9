import { expireBackups } from './backups.ts';
import type { Watch } from './keeper-watch.ts';
import type { Logger } from './logger.ts';
import { logFailure } from './storage-fault.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes the backups that the program made itself once they are old: now, and every day. */
export function watchBackups(dataDir: string, logger: Logger): Watch {
  const look = () => {
    try {
      const deleted = expireBackups(dataDir, new Date());
      if (deleted.length > 0) logger.info('backups_expired', { backups: deleted.join(', ') });
    } catch (error) {
      logFailure(logger, 'backups_not_expired', error);
    }
  };
  look();
  const timer = setInterval(look, DAY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
