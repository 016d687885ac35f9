import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { EXCLUDE_HELP, EXCLUDE_OPTIONS, withExclusions } from '../exclude-options.ts';
import { EXIT, Failure } from '../failure.ts';
import { composeAll, submitAll } from '../loop/submit-all.ts';
import type { BoardFailure, BoardSubmission } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { headingText } from '../text/table.ts';
import { momentText, counted } from '../text/figures.ts';
import { logNotes } from '../text/log.ts';
import { standingText } from '../text/standing.ts';

const NOT_BOTH =
  '--dry-run does not work with --withdrawn: a dry run does not ask the board which days are withdrawn';

export const submit = command({
  help: `opbench submit: sign and upload the days that are new or have changed

Usage: opbench submit [--board URL] [--dry-run] [--withdrawn] [--same-machine]
                      [--accept-log] [--exclude-tools LIST]
                      [--exclude-folders LIST] [--json]

  --board URL             only this board; default: every board you are enrolled
                          on
  --dry-run               send nothing; print the exact bytes that would be
                          signed, one snapshot on each line
  --withdrawn             also send days whose submissions you withdrew
  --same-machine          keep using this device after the machine's ID has
                          changed, for example after you reinstalled the system
  --accept-log            trust the board's public log again after a failed
                          check, if its admin has explained the reason
${EXCLUDE_HELP}  --json                  print JSON

Each upload is tried up to 5 times. If all fail, the next run sends it. You can
run submit again at any time: nothing counts twice. At the end it shows your
rank as of the board's last update.

Then it checks the board's public log: it must extend what this device saw
before, and contain every submission that the board confirmed. If not, the exit
code is 3, and evidence is saved.

--dry-run does not contact the board. A real run can differ in "submission_id"
and "issued_at", and uploads all days again if the board was restored from a
backup. If you copied the state folder from another machine, nothing is sent
until you enroll this one.

Example: opbench submit --dry-run
`,
  json: `opbench submit --json prints one object:

  dry_run      whether nothing was sent
  payloads     with --dry-run: array of {board, payload}; "payload" is the exact
               text that would be signed
  submissions  array of {board, snapshots, records, receipts, corrections,
               standing, log}
  failures     array of {board, exit, code, message, hint}
  notes        array of texts: what was left out or corrected, and why

  receipts     array of {log_index, entry_hash, received_at, ruleset}
  corrections  array of {tool, from, to}: days that were replaced because a
               newer opbench counts them differently
  standing     null, or the "standing" of: opbench status --help --json
  log          null, or the "log" of the same
`,
  options: {
    board: readBoardUrl,
    'dry-run': 'flag',
    withdrawn: 'flag',
    'same-machine': 'flag',
    'accept-log': 'flag',
    ...EXCLUDE_OPTIONS,
  },
  async run({ values }, output, device) {
    const { board, withdrawn, 'dry-run': dryRun } = values;
    if (dryRun && withdrawn) throw new Failure(EXIT.usage, NOT_BOTH);
    const asked = {
      board,
      tell: (failure: BoardFailure) => failureLines(failure).forEach(output.note),
      note: output.note,
      progress: output.progress,
      isSameMachine: values['same-machine'],
      acceptLog: values['accept-log'],
      withWithdrawn: withdrawn,
    };
    const { report, exitCode } = await (dryRun ? composeAll : submitAll)(
      withExclusions(device, values),
      asked,
    );
    report.payloads.forEach(({ payload }) => output.part(payload));
    report.submissions.forEach((submission, at) => tell(submission, at, output));
    output.result(report);
    const isNothing = report.payloads.length + report.failures.length === 0;
    if (dryRun && isNothing) output.note('Nothing new to send.');
    return exitCode;
  },
});

function tell(
  { board, snapshots, records, standing, log }: BoardSubmission,
  at: number,
  { part }: AgentOutput,
): void {
  if (at > 0) part('');
  const sent =
    snapshots === 0 ? 'nothing new to send' : `${counted(records, 'daily count')} accepted`;
  part(`${board}: ${sent}`);
  if (log !== null) logNotes(log).forEach(part);
  if (standing === null) return;
  const { codename, generated_at, next_refresh_at, counts_from } = standing;
  const next = counts_from === null ? `, next update ${momentText(next_refresh_at)}` : '';
  part(headingText(plain(codename), `updated ${momentText(generated_at)}${next}:`));
  part(standingText(standing));
}
