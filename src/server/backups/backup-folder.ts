import { accessSync, constants, realpathSync } from 'node:fs';
import { makeFolder } from '#db/engine/make-folder.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { isInFolder } from '../process/same-file.ts';
import { dropIncomplete } from './dated-backups.ts';

/**
 * Creates the folder for scheduled backups if it is missing, and deletes incomplete backups that a killed server left
 * in it.
 *
 * @returns The names of the deleted files.
 * @throws {ConfigError} if the folder cannot be used.
 */
export function prepareBackupFolder({ backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>) {
  if (!backup) return [];
  const { folder } = backup;
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `BACKUP_DIR: cannot write to ${folder} (${code}). Give this user write access, or set BACKUP_DIR to another folder`,
    );
  }
  if (isInFolder(dataDir, realpathSync(folder))) {
    throw new ConfigError(
      `BACKUP_DIR: ${folder} is in DATA_DIR, where the board keeps its own files. Set BACKUP_DIR to another folder`,
    );
  }
  return dropIncomplete(folder, performance.timeOrigin);
}
