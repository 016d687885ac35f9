import { accessSync, constants, statSync, statfsSync } from 'node:fs';
import { type Config, databasePath } from '#server/config/config.ts';
import { type Check, checksOf, reasonOf } from './check.ts';
import { sizeText } from '#server/process/size-text.ts';

const { ok, warning, problem } = checksOf('data folder');
const disk = checksOf('disk');

/** With less than this a board soon stops taking snapshots. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;
/** A backup before an upgrade is a second database, and its log may grow meanwhile. */
const COPIES = 2;

/** Whether the data folder can be used, only by whom it should, and has room. */
export function diskChecks(config: Config): Check[] {
  const { dataDir } = config;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder) {
    return [warning(`${dataDir} is not there yet`, 'The first start of the board makes it')];
  }
  if (!folder.isDirectory()) return [problem(`${dataDir} is no folder`, 'Set DATA_DIR to one')];
  const faults = [...accessFaults(config), ...ownerFaults(config), ...modeFaults(config)];
  return [...(faults.length === 0 ? [ok(`${dataDir} can be written`)] : faults), room(config)];
}

function accessFaults({ dataDir }: Config): Check[] {
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
function ownerFaults(config: Config): Check[] {
  const owner = statSync(databasePath(config), { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || owner === own) return [];
  const text = `the database belongs to the user with the number ${owner}, and this command runs as ${own}`;
  return [warning(text, `Run opbench-board as that user: sudo -u '#${owner}' ...`)];
}

function modeFaults(config: Config): Check[] {
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

function room(config: Config): Check {
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
export function roomCheck(free: number, used: number): Check {
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
