import { statSync } from 'node:fs';
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import { StoreError } from '#db/engine/store-error.ts';
import {
  type Config,
  checkpointPath,
  databasePath,
  listenUrl,
  migrationsPath,
} from '#server/config/config.ts';
import { signedAddress } from '#server/device/signed-address.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { CHECKPOINT_WORDS, type CheckpointFault } from '#server/process/checkpoint-fault.ts';
import { generationOf } from '#core/domain/tlog/log-path.ts';
import { logKeysIn } from '#server/identity/log-key.ts';
import { newestGeneration, readLargest } from '#server/public-log/checkpoint-file.ts';
import { checkpointFault } from '#server/public-log/checkpoints.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { counted } from '#core/cli/findings.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { checkChain } from '#server/verify/log.ts';
import { tileFaults } from '#server/verify/tiles.ts';
import { type DoctorCheck, checksOf, reasonOf } from './check.ts';

const { ok, warning, problem } = checksOf('database');
const log = checksOf('log');

interface DatabaseReport {
  checks: DoctorCheck[];
  head: LogHead | null;
  /** Null if there is no database or it cannot be read. */
  times: { entry: string | null; publication: string | null; backup: string | null } | null;
}

/** What to do if `BASE_URL` differs from the address that devices signed for. */
export const KEEP_ADDRESS =
  'Set BASE_URL to the old address if the board is still reached there. Otherwise see "opbench-board restore --help" for what changes.';

const RESTORE = 'Stop the server and restore a backup: opbench-board restore FILE --force';

/** Reads the whole database and changes nothing. */
export function examineDatabase(config: Config): DatabaseReport {
  const path = databasePath(config);
  const nothing = { head: null, times: null };
  const isThere = existsAt(path);
  // The check of the data folder reports why.
  if (isThere === null) return { ...nothing, checks: [] };
  if (!isThere) {
    const text = 'there is no database yet';
    return {
      ...nothing,
      checks: [warning(text, 'Start the board to create it: opbench-board serve')],
    };
  }
  try {
    const inspection = inspectDatabase(path);
    try {
      return reportOf(inspection, config);
    } finally {
      inspection.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError) && storageFaultOf(error) === null) throw error;
    return { ...nothing, checks: [problem(reasonOf(error), RESTORE)] };
  }
}

/** Returns null if this user cannot look into the folder. */
function existsAt(path: string): boolean | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return null;
  }
}

function reportOf(inspection: DatabaseInspection, config: Config): DatabaseReport {
  const damage = inspection.integrity();
  if (damage.length > 0) return reportOfDamaged(inspection, damage);
  const faults = inspection.dangling().map((text) => problem(`rows are missing: ${text}`, RESTORE));
  const whole = faults.length === 0 ? [ok('intact')] : faults;
  const { checks, head } = logReport(inspection);
  const { entry, publication, backup } = inspection.times;
  return {
    checks: [
      ...whole,
      ...versionChecks(inspection, config),
      ...checks,
      ...checkpointChecks(inspection, config),
      ...addressChecks(inspection, config),
      ...queueChecks(inspection),
    ],
    head,
    times: { entry: entry(), publication: publication(), backup: backup() },
  };
}

/** Whether the log extends the largest checkpoint that the board signed; nothing before the first one. */
function checkpointChecks({ tiles, secret }: DatabaseInspection, config: Config): DoctorCheck[] {
  const checkpoint = checksOf('log checkpoint');
  const refused = (fault: CheckpointFault) => {
    const { what, todo } = CHECKPOINT_WORDS[fault];
    return [checkpoint.problem(what, todo)];
  };
  try {
    const generation = newestGeneration(config.dataDir);
    const [tree, largest] = [tiles(), readLargest(checkpointPath(config, generation))];
    if (!tree || !largest) return [];
    const own = generationOf(logKeysIn(secret).at(-1)?.origin ?? '');
    // A new log has no checkpoint before the server runs.
    if (own > generation) return [];
    const fault = own < generation ? 'rewound' : checkpointFault(tree, largest);
    if (fault) return refused(fault);
    return [checkpoint.ok(`the log extends the checkpoint of ${largest.size} entries`)];
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return refused('unreadable');
  }
}

/** How many emails to members wait; nothing on boards whose version has none. */
function queueChecks({ waitingMails }: DatabaseInspection): DoctorCheck[] {
  const waiting = waitingMails();
  if (waiting === null) return [];
  const text = `${counted(waiting, 'email')} to members waiting`;
  return [checksOf('mail queue').ok(text)];
}

/** The report of a damaged database, of which SQLite may fail to read any part. */
function reportOfDamaged({ times }: DatabaseInspection, damage: readonly string[]): DatabaseReport {
  const [entry, publication, backup] = [times.entry, times.publication, times.backup].map(readable);
  return {
    checks: damage.map((text) => problem(`damaged: ${text}`, RESTORE)),
    head: null,
    times: { entry: entry ?? null, publication: publication ?? null, backup: backup ?? null },
  };
}

function readable(ask: () => string | null): string | null {
  try {
    return ask();
  } catch (error) {
    if (storageFaultOf(error) === null) throw error;
    return null;
  }
}

function versionChecks(inspection: DatabaseInspection, config: Config): DoctorCheck[] {
  const { lacking, unknown } = inspection.difference(migrationsPath(config));
  if (unknown.length > 0) {
    const advice = 'Install the version of Opbench that ran last, or a newer one.';
    return [problem('it was created by a newer version of Opbench', advice)];
  }
  if (lacking.length === 0) return spaceChecks(inspection);
  const text = 'it was created by an earlier version of Opbench';
  return [
    warning(text, 'Start the board: opbench-board serve backs the database up and upgrades it.'),
  ];
}

/** With less unused space, or a smaller part of the file, compacting is not worth it. */
const MUCH_UNUSED_BYTES = 64 * 1024 * 1024;
const MUCH_UNUSED_PART = 0.25;

/** What is left of the upgrade, and the space that it and deletions left. */
function spaceChecks(inspection: DatabaseInspection): DoctorCheck[] {
  const rows = inspection.rowsToMove();
  if (rows > 0) {
    return [
      ok(`${rows} rows are left to move to the form of this version, which the running board does`),
    ];
  }
  const { bytes, unused } = inspection.space();
  if (unused < MUCH_UNUSED_BYTES || unused < bytes * MUCH_UNUSED_PART) return [];
  const text = `${sizeText(unused)} of ${sizeText(bytes)} are unused`;
  return [warning(text, 'To return this space to the disk: opbench-board compact')];
}

/** Devices sign for the address at which they enrolled, so a new one needs attention. */
function addressChecks(inspection: DatabaseInspection, config: Config): DoctorCheck[] {
  const signedFor = signedAddress(inspection);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  if (signedFor === null || signedFor === baseUrl) return [];
  const text = `the newest submissions are signed for ${signedFor}, but BASE_URL is ${baseUrl}`;
  return [checksOf('address').warning(text, KEEP_ADDRESS)];
}

function logReport(inspection: DatabaseInspection): {
  checks: DoctorCheck[];
  head: LogHead | null;
} {
  const { head, entries, findings } = checkChain(inspection.entries());
  const faults = [...findings.map(({ message }) => message), ...tileFaults(inspection)];
  if (faults.length > 0) {
    return { head, checks: faults.map((message) => log.problem(message, RESTORE)) };
  }
  if (!head) return { head, checks: [log.ok('no entries yet')] };
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  const { log_index, entry_hash } = head;
  return {
    head,
    checks: [log.ok(`${count} in an unbroken chain, head ${log_index}:${entry_hash}`)],
  };
}
