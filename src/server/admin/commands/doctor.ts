import type { LogHead } from '#db/engine/inspection.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readArguments } from '../arguments.ts';
import { type Command, EXIT, type ExitCode } from '../command.ts';
import { backupChecks } from '../doctor/backups.ts';
import { type Check, checksOf, reasonOf } from '../doctor/check.ts';
import { clockChecks } from '../doctor/clock.ts';
import { configurationChecks, programChecks } from '../doctor/configuration.ts';
import { examineDatabase } from '../doctor/database.ts';
import { diskChecks } from '../doctor/disk.ts';
import { askAll } from '../doctor/outside.ts';
import { publicationChecks, serverChecks } from '../doctor/server.ts';
import { VERSION } from '../version.ts';

export const doctor: Command = {
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
  async run(args, output) {
    const options = { offline: { type: 'boolean' } } as const;
    const { offline = false } = readArguments(args, { command: 'doctor', options }).values;
    const { checks, head, code } = await examine(offline);
    const count = (severity: Check['severity']) => {
      return checks.filter((check) => check.severity === severity).length;
    };
    const [problems, warnings] = [count('problem'), count('warning')];
    const report = { version: VERSION, log_head: head, checks, problems, warnings };
    output.result(report, [...checks.map(lineOf), verdict(problems, warnings)].join(''));
    return code;
  },
};

interface Report {
  checks: Check[];
  head: LogHead | null;
  code: ExitCode;
}

async function examine(isOffline: boolean): Promise<Report> {
  const { config, checks: configured } = configurationChecks(process.env);
  const before = [...programChecks(), ...configured];
  if (!config) return { checks: before, head: null, code: EXIT.usage };
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
  const isProblem = checks.some(({ severity }) => severity === 'problem');
  return { checks, head, code: isProblem ? EXIT.refused : EXIT.ok };
}

/** What cannot be looked at is a problem of its own, and keeps nothing else from being looked at. */
function attempt(about: string, look: () => Check[]): Check[] {
  try {
    return look();
  } catch (error) {
    return [checksOf(about).problem(`it cannot be looked at: ${reasonOf(error)}`)];
  }
}

function lineOf({ severity, about, text, advice }: Check): string {
  const line = `${severity.padEnd(8)} ${about}: ${plain(text)}\n`;
  return advice === '' ? line : `${line}         ${plain(advice)}.\n`;
}

function verdict(problems: number, warnings: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}\n`;
}
