import { exitOf, tally } from '#core/cli/findings.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import { examine } from '../doctor/run-doctor.ts';
import type {
  DeviceBoardReport,
  DoctorReport,
  LedgerReport,
  LogReport,
  ProgramReport,
} from '../device-reports.ts';
import { skewText } from '../board/failure.ts';
import { autoLines } from '../text/auto.ts';
import { configLines } from '../text/config.ts';
import { findingLines } from '../text/failure.ts';
import { logLines as publicLogLines } from '../text/log.ts';
import { counted, shortFigure } from '../text/figures.ts';
import { skippedText } from '../text/scan.ts';
import { wrapped } from '../text/table.ts';

export const doctor = command({
  help: `opbench doctor: check this installation, and show how to fix problems

Usage: opbench doctor [--board URL] [--offline] [--repair] [--json]

  --board URL  contact only this board
  --offline    do not contact any board
  --repair     repair the ledger: set damaged files aside, read all logs again,
               and add what the boards have; never lowers a count
  --json       print JSON

It checks the settings, the log folders, the ledger (the counts saved on this
device), keys, boards, the last check of their public logs, clock, proxy, timer
and the saved copy of opbench.

Exit codes: 0 no problem (warnings are possible), 1 a problem on this device,
2 not enrolled, 3 a board rejected the request, 4 network

Example: opbench doctor --offline
`,
  json: `opbench doctor --json prints one object:

  program   {file, version, node: {path, version, zstd, sqlite},
            copy: {path, exists, version}}
  config    as "opbench config --json" prints it
  state     {path, writable}: the state folder
  index     {path, writable}: the index of the logs
  logs      array of {tool, roots: [{path, exists}], files, events,
            skipped_lines, skipped, unreadable}
  uncounted array of {name, path, reason}: assistants on this device whose logs
            do not contain the tokens of all requests
  ledger    {path, state, responses, daily_counts,
            only_here: {responses, tokens}, set_aside,
            carried: [{board, daily_counts, tokens}]}
            "state" is fine, damaged, unsaved or blocked; "only_here" is no
            longer in the logs
  boards    array of {board, name, codename, keyid, key, reachable, version,
            clock_skew_ms, last_submission_at, pending: {snapshots, records},
            proxy, log}; "key" is fine, revoked, unknown or refused; "log" as in
            "opbench status"; null means not asked or not known
  auto      as "opbench auto status --json" prints it, without findings
  repaired  array of texts: what --repair did
  findings  array of {severity, exit, text, advice}; "severity" is problem or
            warning
`,
  options: { board: readBoardUrl, offline: 'flag', repair: 'flag' },
  async run({ values }, output, device) {
    const report = await examine(device, { ...values, progress: output.progress });
    output.result(report, () => doctorText(report));
    return exitOf(report.findings);
  },
});

/** The report as text. Paths are not wrapped, so that they can be copied. */
function doctorText(report: DoctorReport): string {
  const { program, config, state, index, logs, uncounted, ledger } = report;
  const { boards, auto, repaired, findings } = report;
  return [
    ...programLines(program),
    `  state  ${plain(state.path)}`,
    `  index  ${plain(index.path)}`,
    'Config',
    ...configLines(config),
    'Logs',
    ...logs.flatMap(logLines),
    ...uncounted.flatMap(({ name, path, reason }) => [
      wrapped(`${name} cannot be counted. ${reason}`, 2),
      `    ${plain(path)}`,
    ]),
    'Ledger',
    ...ledgerLines(ledger),
    'Boards',
    ...(boards.length > 0 ? boards.flatMap(boardLines) : ['  none: this device is not enrolled']),
    'Timer',
    ...autoLines(auto),
    ...(repaired.length > 0
      ? ['Repaired', ...repaired.map((line) => wrapped(plain(line), 2))]
      : []),
    ...(findings.length > 0 ? ['Findings', ...findingLines(findings)] : []),
    tally(findings).text,
  ].join('\n');
}

function programLines({ version, node, copy }: ProgramReport): string[] {
  const lacks = [...(node.zstd ? [] : ['.zst logs']), ...(node.sqlite ? [] : ['SQLite logs'])];
  const without = lacks.length > 0 ? ` (cannot read ${lacks.join(' or ')})` : '';
  const kept = copy.exists ? (copy.version ?? 'unknown version') : 'not saved yet';
  return [
    wrapped(`opbench ${version} on Node.js ${node.version}${without}`, 0),
    `  node   ${plain(node.path)}`,
    `  copy   ${plain(copy.path)} (${kept})`,
  ];
}

function logLines({ tool, roots, files, events, skipped }: LogReport): string[] {
  if (!roots.some(({ exists }) => exists)) return absentLine(tool, roots);
  return [
    `  ${tool}: ${counted(events, 'response')} in ${counted(files, 'file')}`,
    ...skippedText(tool, skipped).map((line) => wrapped(line, 4)),
    ...roots.map(({ path, exists }) => `    ${plain(path)}${exists ? '' : ' (does not exist)'}`),
  ];
}

/** A tool without any of its folders, in one line. */
function absentLine(tool: string, roots: LogReport['roots']): string[] {
  const [first, ...more] = roots;
  if (first === undefined) return [];
  const rest = more.length > 0 ? ` and ${more.length} more` : '';
  return [`  ${tool}: ${plain(first.path)} (does not exist)${rest}`];
}

function ledgerLines({
  path,
  responses,
  daily_counts,
  only_here,
  carried,
}: LedgerReport): string[] {
  const kept = `${counted(responses, 'response')} in ${counted(daily_counts, 'daily count')}`;
  const { tokens } = only_here;
  const gone = `${counted(only_here.responses, 'response')}, ${shortFigure(tokens)} tokens`;
  return [
    `  ${plain(path)}`,
    wrapped(kept, 4),
    ...(tokens > 0 ? [wrapped(`no longer in the logs: ${gone}`, 4)] : []),
    ...carried.map((part) => wrapped(plain(carriedText(part)), 4)),
  ];
}

function carriedText({ board, daily_counts, tokens }: LedgerReport['carried'][number]): string {
  const what = `${shortFigure(tokens)} tokens in ${counted(daily_counts, 'daily count')}`;
  if (board === null) return `saved from a damaged file: ${what}`;
  return `added from ${board}, not in any log: ${what}`;
}

function boardLines(report: DeviceBoardReport): string[] {
  const { board, name, codename, key, reachable, version, clock_skew_ms, pending } = report;
  const state = [
    ...(codename === null ? ['not enrolled'] : [`as ${codename}`]),
    ...(key === null ? [] : [`key ${key}`]),
    ...(pending.snapshots > 0
      ? [`${counted(pending.snapshots, 'snapshot')} not answered yet`]
      : []),
  ];
  const asked = [
    ...(reachable === null ? ['not asked'] : [reachable ? 'reachable' : 'cannot be reached']),
    ...(version === null ? [] : [`serves opbench ${version}`]),
    ...(clock_skew_ms === null ? [] : [clockText(clock_skew_ms)]),
  ];
  return [
    `  ${plain(board)}${name === null ? '' : ` (${plain(name)})`}`,
    wrapped(plain(state.join(', ')), 4),
    wrapped(plain(asked.join(', ')), 4),
    ...(report.proxy === null ? [] : [wrapped(plain(`through the proxy ${report.proxy}`), 4)]),
    ...publicLogLines(report.log).map((line) => `  ${line}`),
  ];
}

/** Boards send their time in whole seconds, and with a delay. */
function clockText(skewMs: number): string {
  return Math.abs(skewMs) < 3000 ? 'clocks agree' : skewText(skewMs);
}
