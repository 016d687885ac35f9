import { plain } from '#core/domain/text/terminal-text.ts';
import { autoHealth } from '../auto/health.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { impossibleText } from '../loop/collect.ts';
import { readStatus } from '../loop/status.ts';
import type { StatusReport } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { headingText, wrapped } from '../text/table.ts';
import { momentText, counted } from '../text/figures.ts';
import { SEND_WITHDRAWN, withdrawnText } from '../text/known-devices.ts';
import { standingText } from '../text/standing.ts';

export const status = command({
  help: `opbench status [--board URL] [--json]: this device and where you stand, as the
board last published it.

Example: opbench status

--json prints {"boards": [{"board", "pending": {"snapshots", "records"},
"unsigned": {"days", "records"}, "last_submission_at", "withdrawn_days",
"standing": null or {"codename", "class_tier", "generated_at",
"next_refresh_at", "last_submission_at", "counts_from", "standings": [{"window",
"yield", "rank", "rank_range", "movement": {"day", "submission"}, "total",
"reasons": [{"code", "required", "actual", "text"}]}], "tools": [{"tool",
"has_board", "class_tier", "standings"}], "page", "badge_markdown", "shared":
null or {"records", "tokens", "in_part", "days"}, "notices": [{"kind",
"submission", "reason", "details", "advice"}]}}], "left_out": [{"day", "tool",
"model", "reason"}], "copied", "failures": [{"board", "exit", "code", "message",
"hint"}]}.
"pending" was signed and not answered by the board, "unsigned" is what the next
submit would sign, "withdrawn_days" are days whose submissions were withdrawn,
null if the board could not tell, "left_out" what no board accepts, "copied" why
a copied state folder sends nothing, or null; "movement" is places climbed since
the day before and since the last submission, null if unknown; "reasons" are
what is missing to be ranked. "class_tier" and "standings" are over all tools;
"tools" has both by tool, the tool that you use most first. "shared" is what
several of your devices sent, and counts once. "in_part" are those of its
records of which only a part is the same: the sums of these days are estimates.
`,
  options: { board: readBoardUrl },
  async run({ values: { board } }, output, device) {
    const { report, exitCode } = await readStatus(device, {
      board,
      tell: (failure) => failureLines(failure).forEach(output.note),
      progress: output.progress,
    });
    const isCopy = report.copied !== null;
    report.boards.forEach((one, at) => tell(device, { ...one, isCopy }, at, output));
    output.result(report);
    const notes = output.isJson ? [] : [impossibleText(report.left_out), report.copied];
    for (const note of notes) if (note !== null) output.note(note);
    for (const { text, advice } of autoHealth(device).findings)
      output.note(plain(`${text}. ${advice}`));
    return exitCode;
  },
});

type BoardStatus = StatusReport['boards'][number] & {
  /** Whether the state folder is a copy, from which nothing is sent. */
  isCopy: boolean;
};

function tell(
  device: LocalDevice,
  { board, pending, unsigned, last_submission_at, withdrawn_days, standing, isCopy }: BoardStatus,
  at: number,
  { part, strong }: AgentOutput,
): void {
  if (at > 0) part('');
  const who = whoText(device, board, standing?.codename);
  const last = standing?.last_submission_at ?? last_submission_at ?? 'never';
  part(headingText(who, `last submission: ${momentText(last)}`, strong));
  if (pending.snapshots > 0) {
    part(`  signed and not sent yet: ${counted(pending.records, 'record')}`);
  }
  if (unsigned.records > 0) part(unsignedLine(unsigned, isCopy));
  withdrawnLines(withdrawn_days ?? [], device).forEach(part);
  if (standing !== null) part(standingText(standing));
}

function unsignedLine({ records, days }: BoardStatus['unsigned'], isCopy: boolean): string {
  const what = `${counted(records, 'record')} of ${counted(days, 'day')}`;
  return `  not signed yet: ${what}${isCopy ? '' : '; opbench submit sends them'}`;
}

function withdrawnLines(days: readonly string[], { nowMs }: LocalDevice): string[] {
  if (days.length === 0) return [];
  return [wrapped(`${withdrawnText(days, nowMs())}: ${SEND_WITHDRAWN} sends them again`, 2)];
}

/** Who stands there; a board that does not answer told it when this device was enrolled. */
function whoText({ keystore }: LocalDevice, board: string, told: string | undefined): string {
  const codename = told ?? keystore.identity(board)?.codename;
  return codename === undefined ? board : `${plain(codename)} on ${board}`;
}
