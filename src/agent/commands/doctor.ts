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
import { findingLines } from '../text/failure.ts';
import { counted, shortFigure } from '../text/figures.ts';
import { skippedText } from '../text/scan.ts';
import { wrapped } from '../text/table.ts';

export const doctor = command({
  help: `opbench doctor [--board URL] [--offline] [--repair] [--json]: where logs were
looked for and what was understood of them, the state of the ledger, of keys,
boards, clock, timer and of the copy of this program, and what is wrong with any
of it. --offline asks no board. A board behind a proxy (HTTPS_PROXY) is asked
through it.

The ledger stores every response that the logs ever showed, even after the logs
are deleted. --repair sets damaged files of the ledger aside, reads all logs
again, and adds what boards have from this device. It never lowers a count.

Example: opbench doctor --offline

--json prints {"program": {"file", "version", "node": {"path", "version",
"zstd", "sqlite"}, "copy": {"path", "exists", "version"}}, "state": {"path",
"writable"}, "index": {"path", "writable"}, "logs": [{"tool", "roots": [{"path",
"exists"}], "files", "events", "skipped_lines", "skipped", "unreadable"}],
"ledger": {"path", "state", "responses", "daily_counts", "only_here":
{"responses", "tokens"}, "carried": [{"board", "daily_counts", "tokens"}],
"set_aside"}, "boards": [{"board", "name", "codename", "keyid", "key",
"reachable", "version", "clock_skew_ms", "last_submission_at", "pending":
{"snapshots", "records"}, "proxy"}], "auto": as "opbench auto status" without
findings, "repaired": [what --repair did], "findings": [{"severity", "exit",
"text", "advice"}]}. "key" is fine, revoked, unknown or refused; null is what
was not asked or not told. "only_here" is what the logs no longer hold, and
"state" of the ledger is fine, damaged, unsaved or blocked. Exit codes: 0 no
problem (there may be warnings), else that of the worst problem: 1 something on
this device, 3 refused by a board, 4 network.
`,
  options: { board: readBoardUrl, offline: 'flag', repair: 'flag' },
  async run({ values }, output, device) {
    const report = await examine(device, { ...values, progress: output.progress });
    output.result(report, () => doctorText(report));
    return exitOf(report.findings);
  },
});

/** What doctor found, for people. Paths are not broken: they are there to be copied. */
function doctorText(report: DoctorReport): string {
  const { program, state, index, logs, ledger, boards, auto, repaired, findings } = report;
  return [
    ...programLines(program),
    `  state  ${plain(state.path)}`,
    `  index  ${plain(index.path)}`,
    'Logs',
    ...logs.flatMap(logLines),
    'Ledger',
    ...ledgerLines(ledger),
    'Boards',
    ...(boards.length > 0 ? boards.flatMap(boardLines) : ['  none']),
    'Timer',
    ...autoLines(auto),
    ...(repaired.length > 0
      ? ['Repaired', ...repaired.map((line) => wrapped(plain(line), 2))]
      : []),
    ...(findings.length > 0 ? ['Found', ...findingLines(findings)] : []),
    tally(findings).text,
  ].join('\n');
}

function programLines({ version, node, copy }: ProgramReport): string[] {
  const lacks = [...(node.zstd ? [] : ['.zst logs']), ...(node.sqlite ? [] : ['SQLite logs'])];
  const without = lacks.length > 0 ? `, which cannot read ${lacks.join(' and ')}` : '';
  const kept = copy.exists ? (copy.version ?? 'of unknown version') : 'not there';
  return [
    wrapped(`opbench ${version} on Node.js ${node.version}${without}`, 0),
    `  node   ${plain(node.path)}`,
    `  copy   ${plain(copy.path)} (${kept})`,
  ];
}

function logLines({ tool, roots, files, events, skipped }: LogReport): string[] {
  return [
    `  ${tool}: ${counted(events, 'response')} in ${counted(files, 'file')}`,
    ...skippedText(skipped).map((line) => wrapped(line, 4)),
    ...roots.map(({ path, exists }) => `    ${plain(path)}${exists ? '' : ' (not there)'}`),
  ];
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
  if (board === null) return `kept from a damaged file: ${what}`;
  return `added from ${board} because no log has them: ${what}`;
}

function boardLines(report: DeviceBoardReport): string[] {
  const { board, name, codename, key, reachable, version, clock_skew_ms, pending } = report;
  const state = [
    ...(codename === null ? ['not enrolled'] : [`as ${codename}`]),
    ...(key === null ? [] : [`key ${key}`]),
    ...(pending.snapshots > 0 ? [`${pending.snapshots} not answered`] : []),
  ];
  const asked = [
    ...(reachable === null ? ['not asked'] : [reachable ? 'reachable' : 'not reachable']),
    ...(version === null ? [] : [`serves opbench ${version}`]),
    ...(clock_skew_ms === null ? [] : [clockText(clock_skew_ms)]),
  ];
  return [
    `  ${plain(board)}${name === null ? '' : ` (${plain(name)})`}`,
    wrapped(plain(state.join(', ')), 4),
    wrapped(plain(asked.join(', ')), 4),
    ...(report.proxy === null ? [] : [wrapped(plain(`through the proxy ${report.proxy}`), 4)]),
  ];
}

/** A board tells its time in whole seconds, and late. */
function clockText(skewMs: number): string {
  return Math.abs(skewMs) < 3000 ? 'clocks agree' : skewText(skewMs);
}
