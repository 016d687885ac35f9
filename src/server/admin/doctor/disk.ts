import { type Dirent, accessSync, constants, readdirSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { KEPT_DAYS, backupsFolder } from '#server/backups/backups.ts';
import { newestBackupAt } from '#server/backups/dated-backups.ts';
import { LATE_MS } from '#server/backups/scheduled-backups.ts';
import { counted } from '#core/cli/findings.ts';
import { type Config, databasePath } from '#server/config/config.ts';
import { type DoctorCheck, checksOf, reasonOf, durationText } from './check.ts';
import { sizeText } from '#core/domain/text/figure.ts';

const { ok, warning, problem } = checksOf('data folder');
const START = 'Start the board to create it: opbench-board serve';
const disk = checksOf('disk');

/** With less free space, the board soon rejects submissions. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;
/** Free space to keep, in database sizes: an upgrade makes a copy, and the write-ahead log can grow. */
const COPIES = 2;

export function diskChecks(config: Config): DoctorCheck[] {
  const { dataDir } = config;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder) {
    return [warning(`${dataDir} does not exist yet`, START)];
  }
  if (!folder.isDirectory())
    return [problem(`${dataDir} is not a folder`, 'Set DATA_DIR to a folder.')];
  const denied = accessFaults(config);
  if (denied.length > 0) return denied;
  const faults = [...ownerFaults(config), ...modeFaults(config)];
  return [...(faults.length === 0 ? [ok(`${dataDir} is writable`)] : faults), room(config)];
}

function accessFaults({ dataDir }: Config): DoctorCheck[] {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const advice =
      'Run doctor as root or as the user that runs the board. That user must own the folder, and its disk must not be mounted read-only.';
    return [problem(`${dataDir} is not writable: ${reasonOf(error)}`, advice)];
  }
}

/** Files that another user creates in the folder may be unreadable for the board. */
function ownerFaults(config: Config): DoctorCheck[] {
  const owner = statSync(databasePath(config), { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || owner === own) return [];
  const text = `the database belongs to user ID ${owner}, but this command runs as user ID ${own}`;
  return [warning(text, `Run the command as that user: sudo -u '#${owner}' opbench-board doctor`)];
}

function modeFaults(config: Config): DoctorCheck[] {
  if (process.platform === 'win32') return [];
  const paths = [config.dataDir, databasePath(config)];
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || (found.mode & 0o077) === 0) return [];
    const mode = found.isDirectory() ? '700' : '600';
    const text = `${path} holds secrets, but other users of this machine can access it`;
    return [warning(text, `Run: chmod ${mode} ${path}`)];
  });
}

function room(config: Config): DoctorCheck {
  const { bavail, bsize } = statfsSync(config.dataDir);
  const sizes = ['', '-wal'].map((end) => {
    return statSync(databasePath(config) + end, { throwIfNoEntry: false })?.size ?? 0;
  });
  return roomCheck(
    bavail * bsize,
    sizes.reduce((sum, size) => sum + size),
  );
}

/** Whether `free` bytes are enough for a database of `used` bytes. */
export function roomCheck(free: number, used: number): DoctorCheck {
  const text = `${sizeText(free)} free; the database uses ${sizeText(used)}`;
  if (free < LEAST_FREE_BYTES) {
    return disk.problem(
      text,
      'Free some space. The board rejects submissions when the disk is full.',
    );
  }
  if (free < COPIES * used) {
    return disk.warning(
      text,
      'Free some space. An upgrade backs up the database first, which needs as much space again.',
    );
  }
  return disk.ok(text);
}

const backup = checksOf('backup');

/** The highest age of the last backup before `doctor` warns. */
const MAX_AGE_DAYS = 7;
const BACKUP_ADVICE =
  'Back up every day, and keep the copies on another machine: opbench-board backup FILE';

export function backupChecks(config: Config, madeAt: string | null): DoctorCheck[] {
  return [byAdmin(madeAt), ...bySchedule(config), ...byProgram(config)];
}

function byAdmin(madeAt: string | null): DoctorCheck {
  if (madeAt === null)
    return backup.warning('opbench-board has not made a backup yet', BACKUP_ADVICE);
  const ageMs = Date.now() - Date.parse(madeAt);
  const text = `the last one is ${durationText(ageMs)} old`;
  return ageMs > MAX_AGE_DAYS * DAY_MS ? backup.warning(text, BACKUP_ADVICE) : backup.ok(text);
}

const LOG_ADVICE = 'Read the log of the board: backup_failed has the reason.';

function bySchedule({ backup: schedule }: Config): DoctorCheck[] {
  if (!schedule) return [];
  const { folder } = schedule;
  const now = new Date();
  try {
    const newestAt = newestBackupAt(folder, now);
    if (newestAt === null) {
      const advice = 'The board makes one when it starts. If it is running, read its log.';
      return [backup.warning(`BACKUP_DIR ${folder} has no backups yet`, advice)];
    }
    const ageMs = now.getTime() - newestAt.getTime();
    const text = `the newest in BACKUP_DIR ${folder} is ${durationText(ageMs)} old`;
    return [ageMs > LATE_MS ? backup.problem(text, LOG_ADVICE) : backup.ok(text)];
  } catch (error) {
    const advice = 'Start the board to create it, or run doctor as the user that runs the board.';
    return [backup.warning(`BACKUP_DIR ${folder} cannot be read: ${reasonOf(error)}`, advice)];
  }
}

function byProgram(config: Config): DoctorCheck[] {
  const folder = backupsFolder(config);
  const sizes = filesIn(folder).map(({ name }) => statSync(join(folder, name)).size);
  if (sizes.length === 0) return [];
  const count = counted(sizes.length, 'file');
  const size = sizeText(sizes.reduce((sum, each) => sum + each));
  return [
    backup.ok(
      `${folder} holds ${count} from upgrades and restores (${size}), each kept for ${KEPT_DAYS} days`,
    ),
  ];
}

function filesIn(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'));
  } catch {
    return [];
  }
}
