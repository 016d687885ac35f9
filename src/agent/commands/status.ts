import { plain, plainJson } from '#core/domain/terminal-text.ts';
import { autoHealth } from '../auto/health.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import type { Device } from '../device.ts';
import { impossibleText } from '../loop/impossible-days.ts';
import { readStatus } from '../loop/status.ts';
import type { StatusReport } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { headingText } from '../text/heading.ts';
import { momentText } from '../text/moment.ts';
import { counted } from '../text/counted.ts';
import { standingText } from '../text/standing.ts';

export const status: Command = {
  help: `opbench status [--board URL] [--json]: this device and where you stand, as the
board last published it.

Example: opbench status

--json prints {"boards": [{"board", "pending": {"snapshots", "records"},
"unsigned": {"days", "records"}, "last_submission_at", "standing": null or
{"codename", "class_tier", "generated_at", "next_refresh_at",
"last_submission_at", "counts_from", "standings": [{"window", "yield", "rank",
"rank_range", "movement": {"day", "submission"}, "total", "reasons": [{"code",
"required", "actual", "text"}]}], "tools": [{"tool", "has_board", "class_tier",
"standings"}], "page", "badge_markdown", "notices": [{"kind", "submission",
"reason", "details", "advice"}]}}], "left_out": [{"day", "tool", "model",
"reason"}], "failures": [{"board", "exit", "code", "message", "hint"}]}.
"pending" was signed and not answered by the board, "unsigned" is what the next
submit would sign, "left_out" what no board accepts; "movement" is places
climbed since the day before and since the last submission, null if unknown;
"reasons" are what is missing to be ranked. "class_tier" and "standings" are
over all tools; "tools" has both by tool, the tool that you use most first.
`,
  async run(device, args, output) {
    const { board, json } = readArguments(args, { command: 'status', options: ['board', 'json'] });
    const { report, exitCode } = await readStatus(device, {
      board,
      tell: (failure) => failureLines(failure).forEach(output.note),
      progress: output.progress,
    });
    if (json) output.result(plainJson(report));
    else report.boards.forEach((one, at) => tell(device, one, at, output));
    const leftOut = impossibleText(report.left_out);
    if (leftOut !== null && !json) output.note(leftOut);
    for (const { text, advice } of autoHealth(device).findings)
      output.note(plain(`${text}. ${advice}`));
    return exitCode;
  },
};

type BoardStatus = StatusReport['boards'][number];

function tell(
  device: Device,
  { board, pending, unsigned, last_submission_at, standing }: BoardStatus,
  at: number,
  { result, strong }: Output,
): void {
  if (at > 0) result('');
  const who = whoText(device, board, standing?.codename);
  const last = standing?.last_submission_at ?? last_submission_at ?? 'never';
  result(headingText(who, `last submission: ${momentText(last)}`, strong));
  if (pending.snapshots > 0) {
    result(`  signed and not sent yet: ${counted(pending.records, 'record')}`);
  }
  if (unsigned.records > 0) {
    const records = `${counted(unsigned.records, 'record')} of ${counted(unsigned.days, 'day')}`;
    result(`  not signed yet: ${records}; opbench submit sends them`);
  }
  if (standing !== null) result(standingText(standing));
}

/** Who stands there; a board that does not answer told it when this device was enrolled. */
function whoText({ keystore }: Device, board: string, told: string | undefined): string {
  const codename = told ?? keystore.identity(board)?.codename;
  return codename === undefined ? board : `${plain(codename)} on ${board}`;
}
