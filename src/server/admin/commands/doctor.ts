import type { LogHead } from '#db/engine/inspection.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { exitOf, tally } from '#core/cli/findings.ts';
import { VERSION } from '#core/cli/version.ts';
import { command } from '../command.ts';
import { type DoctorCheck, checksOf, reasonOf } from '../doctor/check.ts';
import { configurationChecks, programChecks } from '../doctor/configuration.ts';
import { examineDatabase } from '../doctor/database.ts';
import { backupChecks, diskChecks } from '../doctor/disk.ts';
import { askAll, clockChecks } from '../doctor/outside.ts';
import { publicationChecks, serverChecks } from '../doctor/server.ts';

export const doctor = command({
  help: `opbench-board doctor [--offline] [--json]: looks at all that the board depends on
and says of each whether it is ok, a warning or a problem, and what to do: the
configuration, the data folder and its disk, the whole database and its log, the
clock, the mail server and the sign-in provider, the running board, the last
publication and the last backup. It changes nothing, sends no mail, and works
beside a running board and without one. --offline asks nobody outside. It finds
a running board by a note in DATA_DIR, so HOST, PORT and BASE_URL may be missing.

Example: opbench-board doctor --offline

--json prints {"version", "log_head": {"log_index", "entry_hash"}, "checks":
[{"severity", "about", "text", "advice"}], "problems", "warnings"}; "log_head" is
null where there is no log. Exit codes: 0 no problem (there may be warnings), 3 a
problem, 1 the configuration cannot be read.
`,
  options: { offline: 'flag' },
  async run({ values: { offline } }, output) {
    const { checks, head } = await examine(offline);
    const { problems, warnings, text: verdict } = tally(checks);
    const told = checks.map(({ severity, about, text, advice }) => {
      return { severity, about, text, advice };
    });
    const report = { version: VERSION, log_head: head, checks: told, problems, warnings };
    output.result(report, `${checks.map(lineOf).join('')}${verdict}\n`);
    return exitOf(checks);
  },
});

async function examine(
  isOffline: boolean,
): Promise<{ checks: DoctorCheck[]; head: LogHead | null }> {
  const { config, checks: configured } = configurationChecks(process.env);
  const before = [...programChecks(), ...configured];
  if (!config) return { checks: before, head: null };
  const database = examineDatabase(config);
  const outside = isOffline ? { checks: [], aheadMs: [] } : await askAll(config);
  const server = await serverChecks(config);
  const { times, head } = database;
  const checks = [
    ...before,
    ...attempt('disk', () => diskChecks(config)),
    ...database.checks,
    ...clockChecks(outside.aheadMs, times?.entry ?? null),
    ...outside.checks,
    ...server.checks,
    ...(times ? publicationChecks(config, times.publication, server.isRunning) : []),
    ...(times ? attempt('backup', () => backupChecks(config, times.backup)) : []),
  ];
  return { checks, head };
}

/** What cannot be looked at is a problem of its own, and keeps nothing else from being looked at. */
function attempt(about: string, look: () => DoctorCheck[]): DoctorCheck[] {
  try {
    return look();
  } catch (error) {
    return [checksOf(about).problem(`it cannot be looked at: ${reasonOf(error)}`)];
  }
}

function lineOf({ severity, about, text, advice }: DoctorCheck): string {
  const line = `${severity.padEnd(8)} ${about}: ${plain(text)}\n`;
  return advice === '' ? line : `${line}         ${plain(advice)}.\n`;
}
