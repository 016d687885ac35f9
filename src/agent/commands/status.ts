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
import { logLines } from '../text/log.ts';
import { asTyped } from '../state/copy.ts';
import { SEND_WITHDRAWN, withdrawnText } from '../text/known-devices.ts';
import { standingText } from '../text/standing.ts';

export const status = command({
  help: `opbench status: show your rank, and what is not submitted yet

Usage: opbench status [--board URL] [--json]

  --board URL  only this board; default: every board you are enrolled on
  --json       print JSON

Ranks are as of the board's last update. If you are not ranked yet, status
lists what is missing. It also checks the board's public log, like submit.

Example: opbench status
`,
  json: `opbench status --json prints one object:

  boards    array of boards, see below
  left_out  array of {day, tool, model, reason}: counts that no board accepts
  copied    why nothing is sent from here if the state folder is a copy, or null
  failures  array of {board, exit, code, message, hint}

Each board:
  board               its address
  pending             {snapshots, records}: signed, not answered by the board
  unsigned            {days, records}: what the next submit signs
  last_submission_at  time of the newest receipt
  withdrawn_days      days that do not count because you withdrew them; null if
                      unknown
  log                 the check of the public log: {origin, size, checked_at,
                      proven, waiting, evidence, note}, or null if the board has
                      no log that can be checked. "proven" and "waiting" count
                      submissions of this device; "evidence" lists folders
  standing            null if the board could not be asked, or an object:

    codename, class_tier, generated_at, next_refresh_at, last_submission_at
    counts_from     when the board will include your last submission; null if it
                    does already
    standings       for all tools together: array of {window, yield, rank,
                    rank_range, movement: {day, submission}, total,
                    reasons: [{code, required, actual, text}]}
    tools           array of {tool, has_board, class_tier, standings}; the tool
                    that you use most comes first
    page, badge_markdown   null if you have no public page
    shared          null or {records, tokens, in_part, days}: counts that are on
                    several of your devices and count once; "in_part" records
                    match only in part, so totals of their days are estimates
    notices         array of {kind, submission, reason, details, advice}

"movement" is places climbed since the day before and since your last
submission, null if unknown. "reasons" lists what is missing to be ranked.
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
  { board, pending, unsigned, last_submission_at, withdrawn_days, ...asked }: BoardStatus,
  at: number,
  { part, strong }: AgentOutput,
): void {
  const { standing, log, isCopy } = asked;
  if (at > 0) part('');
  const who = whoText(device, board, standing?.codename);
  const last = standing?.last_submission_at ?? last_submission_at ?? 'none yet';
  part(headingText(who, `last submission: ${momentText(last)}`, strong));
  if (pending.snapshots > 0) {
    part(`  signed, not sent yet: ${counted(pending.records, 'daily count')}`);
  }
  if (unsigned.records > 0) part(asTyped(device, unsignedLine(unsigned, isCopy)));
  withdrawnLines(withdrawn_days ?? [], device).forEach(part);
  if (standing !== null) part(standingText(standing));
  logLines(log).forEach(part);
}

function unsignedLine({ records, days }: BoardStatus['unsigned'], isCopy: boolean): string {
  const what = `${counted(records, 'daily count')} of ${counted(days, 'day')}`;
  return `  not sent yet: ${what}${isCopy ? '' : '. To send: opbench submit'}`;
}

function withdrawnLines(days: readonly string[], device: LocalDevice): string[] {
  if (days.length === 0) return [];
  const text = `${withdrawnText(days, device.nowMs())}. To send them again: ${SEND_WITHDRAWN}`;
  return [wrapped(asTyped(device, text), 2)];
}

/** The operator and the board. If the board does not answer, the codename is from the enrollment. */
function whoText({ keystore }: LocalDevice, board: string, told: string | undefined): string {
  const codename = told ?? keystore.identity(board)?.codename;
  return codename === undefined ? board : `${plain(codename)} on ${board}`;
}
