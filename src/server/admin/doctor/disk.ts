import { type Dirent, accessSync, constants, readdirSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { KEPT_DAYS, backupsFolder } from '#server/backups/backups.ts';
import { counted } from '#core/cli/findings.ts';
import { type Config, databasePath } from '#server/config/config.ts';
import { type DoctorCheck, checksOf, reasonOf, durationText } from './check.ts';
import { sizeText } from '#core/domain/text/figure.ts';

const { ok, warning, problem } = checksOf('data folder');
const disk = checksOf('disk');

/** With less than this a board soon stops taking snapshots. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;
/** A backup before an upgrade is a second database, and its log may grow meanwhile. */
const COPIES = 2;

export function diskChecks(config: Config): DoctorCheck[] {
  const { dataDir } = config;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder) {
    return [warning(`${dataDir} is not there yet`, 'The first start of the board makes it')];
  }
  if (!folder.isDirectory()) return [problem(`${dataDir} is no folder`, 'Set DATA_DIR to one')];
  const faults = [...accessFaults(config), ...ownerFaults(config), ...modeFaults(config)];
  return [...(faults.length === 0 ? [ok(`${dataDir} can be written`)] : faults), room(config)];
}

function accessFaults({ dataDir }: Config): DoctorCheck[] {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const advice =
      'Give it to the user who runs the board, on a disk that is mounted to be written';
    return [problem(`${dataDir} cannot be written: ${reasonOf(error)}`, advice)];
  }
}

/** What another user makes in the folder, the board may not open afterwards. */
function ownerFaults(config: Config): DoctorCheck[] {
  const owner = statSync(databasePath(config), { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || owner === own) return [];
  const text = `the database belongs to the user with the number ${owner}, and this command runs as ${own}`;
  return [warning(text, `Run opbench-board as that user: sudo -u '#${owner}' ...`)];
}

function modeFaults(config: Config): DoctorCheck[] {
  if (process.platform === 'win32') return [];
  const paths = [config.dataDir, databasePath(config)];
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || (found.mode & 0o077) === 0) return [];
    const mode = found.isDirectory() ? '700' : '600';
    const text = `${path} is open to other users of this machine, and holds secrets`;
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

/** Whether so many free bytes are enough beside a database of so many. */
export function roomCheck(free: number, used: number): DoctorCheck {
  const text = `${sizeText(free)} free, and the database has ${sizeText(used)}`;
  if (free < LEAST_FREE_BYTES) {
    return disk.problem(text, 'Make room: the board takes nothing more when the disk is full');
  }
  if (free < COPIES * used) {
    return disk.warning(
      text,
      'Make room: an upgrade makes a backup first, which needs as much again',
    );
  }
  return disk.ok(text);
}

const backup = checksOf('backup');

/** So old may the last backup be. */
const MAX_AGE_DAYS = 7;
const BACKUP_ADVICE =
  'Make one every day, and keep it on another machine: opbench-board backup FILE. Copies that other programs make are not known here';

export function backupChecks(config: Config, madeAt: string | null): DoctorCheck[] {
  return [byAdmin(madeAt), ...byProgram(config)];
}

function byAdmin(madeAt: string | null): DoctorCheck {
  if (madeAt === null) return backup.warning('none was ever made', BACKUP_ADVICE);
  const ageMs = Date.now() - Date.parse(madeAt);
  const text = `the last was made ${durationText(ageMs)} ago`;
  return ageMs > MAX_AGE_DAYS * DAY_MS ? backup.warning(text, BACKUP_ADVICE) : backup.ok(text);
}

function byProgram(config: Config): DoctorCheck[] {
  const folder = backupsFolder(config);
  const sizes = filesIn(folder).map(({ name }) => statSync(join(folder, name)).size);
  if (sizes.length === 0) return [];
  const count = counted(sizes.length, 'file');
  const size = sizeText(sizes.reduce((sum, each) => sum + each));
  return [
    backup.ok(`${folder} has ${count} of upgrades and restores, ${size}, kept ${KEPT_DAYS} days`),
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
