import { existsSync } from 'node:fs';
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { type Config, databasePath, listenUrl, migrationsPath } from '#server/config/config.ts';
import { signedAddress } from '#server/device/signed-address.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { checkChain } from '#server/verify/log.ts';
import { type DoctorCheck, checksOf, reasonOf } from './check.ts';

const { ok, warning, problem } = checksOf('database');
const log = checksOf('log');

interface DatabaseReport {
  checks: DoctorCheck[];
  head: LogHead | null;
  /** Null if there is no database, or it cannot be read. */
  times: { entry: string | null; publication: string | null; backup: string | null } | null;
}

const RESTORE = 'Stop the board and restore a backup: opbench-board restore FILE';

/** Reads all of the database, and changes nothing. */
export function examineDatabase(config: Config): DatabaseReport {
  const path = databasePath(config);
  const nothing = { head: null, times: null };
  if (!existsSync(path)) {
    const text = 'there is none yet';
    return { ...nothing, checks: [warning(text, 'The first start of the board makes it')] };
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

function reportOf(inspection: DatabaseInspection, config: Config): DatabaseReport {
  const damage = inspection.integrity();
  if (damage.length > 0) return reportOfDamaged(inspection, damage);
  const faults = inspection.dangling().map((text) => problem(`rows are missing: ${text}`, RESTORE));
  const whole = faults.length === 0 ? [ok('it is whole')] : faults;
  const { checks, head } = logReport(inspection);
  const { entry, publication, backup } = inspection.times;
  return {
    checks: [
      ...whole,
      ...versionChecks(inspection, config),
      ...checks,
      ...addressChecks(inspection, config),
    ],
    head,
    times: { entry: entry(), publication: publication(), backup: backup() },
  };
}

/** What can still be read of a damaged database: SQLite may refuse any question about it. */
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
    const advice = 'Install the version of Opbench that the board ran on last, or a newer one';
    return [problem('a newer version of Opbench made it', advice)];
  }
  if (lacking.length === 0) return [];
  const text = 'an earlier version of Opbench made it';
  return [warning(text, 'Start the board once: it makes a backup, and upgrades the database')];
}

/** Devices sign for the address at which they were enrolled. */
function addressChecks(inspection: DatabaseInspection, config: Config): DoctorCheck[] {
  const signedFor = signedAddress(inspection);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  if (signedFor === null || signedFor === baseUrl) return [];
  const text = `what was sent last is signed for ${signedFor}, and BASE_URL is ${baseUrl}`;
  const advice =
    'Set BASE_URL to the old address if people reach the board there; else see opbench-board restore --help for what changes';
  return [checksOf('address').warning(text, advice)];
}

function logReport(inspection: DatabaseInspection): {
  checks: DoctorCheck[];
  head: LogHead | null;
} {
  const { head, entries, findings } = checkChain(inspection.entries());
  if (findings.length > 0) {
    const told = findings.map(({ message }) => log.problem(message, RESTORE));
    return { head, checks: told };
  }
  if (!head) return { head, checks: [log.ok('no entry yet')] };
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  const { log_index, entry_hash } = head;
  return { head, checks: [log.ok(`${count}, an unbroken chain up to ${log_index}:${entry_hash}`)] };
}
