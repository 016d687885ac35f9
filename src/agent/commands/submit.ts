import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { composeAll, submitAll } from '../loop/submit-all.ts';
import type { BoardFailure, BoardSubmission } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { headingText } from '../text/table.ts';
import { momentText, counted } from '../text/figures.ts';
import { standingText } from '../text/standing.ts';

const NOT_BOTH =
  'submit does not take --dry-run with --withdrawn: a dry run does not ask the board which days are withdrawn';

export const submit = command({
  help: `opbench submit [--board URL] [--dry-run] [--withdrawn] [--same-machine]
[--json]: sign and send the days that the board does not have as they are now,
then show where you stand. Without --board it goes to every board where this
device is enrolled.

Example: opbench submit --dry-run --board https://bench.example.org

What a board does not take at once is tried up to 5 times, or when the board
says; what is not answered is kept, and sent again as it is by the next run.

--dry-run sends nothing and prints the exact bytes that would be signed, one
snapshot a line; first come those that were signed before and not answered. What
is sent then differs in "submission_id" and "issued_at" only. --dry-run asks no
board: one that no longer has all that this device sent, as after a restore,
gets all days again, and submit says so.

Days whose submissions were withdrawn are sent again only with --withdrawn.

A copy of a state folder, as on a machine with a restored home folder, sends
nothing until you enroll it: see opbench enroll --help. If it is the same
machine, for example with a reinstalled system, --same-machine says so once.
Machines that share one home folder need the same OPBENCH_MACHINE.

Counts outlive the logs: each run, online or not, saves them on this device. If
a newer opbench counts a tool by other rules, the logs that are left are counted
again, days on which the board has more are corrected, and submit says so.

--json prints {"dry_run", "payloads": [{"board", "payload"}], "submissions":
[{"board", "snapshots", "records", "receipts": [{"log_index", "entry_hash",
"received_at", "ruleset"}], "corrections": [{"tool", "from", "to"}],
"standing"}], "failures": [{"board", "exit", "code", "message", "hint"}],
"notes": [TEXT...]}; "payload" is the text of --dry-run,
"standing" is null or as "opbench status --json" prints it.
`,
  options: { board: readBoardUrl, 'dry-run': 'flag', withdrawn: 'flag', 'same-machine': 'flag' },
  async run({ values }, output, device) {
    const { board, withdrawn, 'dry-run': dryRun } = values;
    if (dryRun && withdrawn) throw new Failure(EXIT.usage, NOT_BOTH);
    const asked = {
      board,
      tell: (failure: BoardFailure) => failureLines(failure).forEach(output.note),
      note: output.note,
      progress: output.progress,
      isSameMachine: values['same-machine'],
      withWithdrawn: withdrawn,
    };
    const { report, exitCode } = await (dryRun ? composeAll : submitAll)(device, asked);
    report.payloads.forEach(({ payload }) => output.part(payload));
    report.submissions.forEach((submission, at) => tell(submission, at, output));
    output.result(report);
    const isNothing = report.payloads.length + report.failures.length === 0;
    if (dryRun && isNothing) output.note('Nothing new to send: no payload to show.');
    return exitCode;
  },
});

function tell(
  { board, snapshots, records, standing }: BoardSubmission,
  at: number,
  { part }: AgentOutput,
): void {
  if (at > 0) part('');
  const sent = snapshots === 0 ? 'nothing new to send' : `${counted(records, 'record')} accepted`;
  part(`${board}: ${sent}`);
  if (standing === null) return;
  const { codename, generated_at, next_refresh_at } = standing;
  const published = `as published at ${momentText(generated_at)}`;
  part(headingText(plain(codename), `${published}, next at ${momentText(next_refresh_at)}:`));
  part(standingText(standing));
}
