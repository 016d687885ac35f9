import type { LogHead } from '#db/engine/inspection.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { exitOf, tally } from '#core/cli/findings.ts';
import { VERSION } from '#core/cli/version.ts';
import type { ServedSettings } from '#server/running-server.ts';
import { command } from '../command.ts';
import { type DoctorCheck, checksOf, reasonOf } from '../doctor/check.ts';
import { configurationChecks, programChecks } from '../doctor/configuration.ts';
import { examineDatabase } from '../doctor/database.ts';
import { backupChecks, diskChecks } from '../doctor/disk.ts';
import { askAll, clockChecks } from '../doctor/outside.ts';
import { objectStoreChecks } from '../doctor/object-store.ts';
import { publicationChecks, serverChecks } from '../doctor/server.ts';
import { witnessChecks } from '../doctor/witnesses.ts';

export const doctor = command({
  help: `opbench-board doctor: check the board, its settings and its services

Usage: opbench-board doctor [--offline] [--json]

  --offline  do not contact mail servers, sign-in services or other hosts
  --json     print JSON

For each check, doctor prints ok, a warning or a problem, and what to do about it.
It checks the settings, the data folder and its disk, the whole database and its
log, the clock, the mail server, sign-in services, the object store, the running
server, the last update, the last backup and the last answers of witnesses.

doctor changes nothing and sends no mail. In the object store, it writes and
deletes a small object whose name begins with "probe-". It works with and without a running
server.

Exit codes: 0 no problems (warnings are possible), 1 the settings are invalid,
3 a problem was found.

Example: opbench-board doctor --offline
`,
  json: `opbench-board doctor --json prints one object:

  version   version of opbench-board
  log_head  {log_index, entry_hash} of the last log entry, or null
  checks    array of {severity, about, text, advice}
  problems  number of problems
  warnings  number of warnings

  severity  ok, warning or problem
`,
  options: { offline: 'flag' },
  async run({ values: { offline } }, output, settings) {
    const { checks, head } = await examine(settings, offline);
    const { problems, warnings, text: verdict } = tally(checks);
    const listed = checks.map(({ severity, about, text, advice }) => {
      return { severity, about, text, advice };
    });
    const report = { version: VERSION, log_head: head, checks: listed, problems, warnings };
    output.result(report, `${checks.map(lineOf).join('')}${verdict}\n`);
    return exitOf(checks);
  },
});

async function examine(
  settings: ServedSettings,
  isOffline: boolean,
): Promise<{ checks: DoctorCheck[]; head: LogHead | null }> {
  const { config, checks: configured } = configurationChecks(settings);
  const before = [...programChecks(), ...configured];
  if (!config) return { checks: before, head: null };
  const database = examineDatabase(config);
  const outside = isOffline ? { checks: [], aheadMs: [] } : await askAll(config, settings.unknown);
  const server = await serverChecks(config);
  const { times, head } = database;
  const checks = [
    ...before,
    ...attempt('disk', () => diskChecks(config)),
    ...database.checks,
    ...clockChecks(outside.aheadMs, times?.entry ?? null),
    ...outside.checks,
    ...(isOffline ? [] : await objectStoreChecks(config, settings.unknown)),
    ...server.checks,
    ...(times ? publicationChecks(config, times.publication, server.isRunning) : []),
    ...(times ? attempt('backup', () => backupChecks(config, times.backup)) : []),
    ...attempt('witness', () => witnessChecks(config)),
  ];
  return { checks, head };
}

/** Turns an error of a check into a problem, so that the other checks still run. */
function attempt(about: string, look: () => DoctorCheck[]): DoctorCheck[] {
  try {
    return look();
  } catch (error) {
    return [checksOf(about).problem(`the check failed: ${reasonOf(error)}`)];
  }
}

function lineOf({ severity, about, text, advice }: DoctorCheck): string {
  const line = `${severity.padEnd(8)} ${about}: ${plain(text)}\n`;
  return advice === '' ? line : `${line}         ${plain(advice)}\n`;
}
