import { plain } from '#core/domain/text/terminal-text.ts';
import type { SubmissionAnswer } from '../board/answers.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { type LocalDevice, identityOf } from '../device.ts';
import { EXIT } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { listSubmissions, withdraw as change } from '../loop/withdraw.ts';
import { counted, momentText } from '../text/figures.ts';
import { daysText } from '../text/known-devices.ts';
import { tableLines } from '../text/table.ts';

export const withdraw = command({
  help: `opbench withdraw ID [--undo] [--board URL] [--json]: withdraw a submission
that this device sent, or undo that. ID is the submission's ID on the board, or
"last" for the newest one. Without ID it lists the last submissions of this
device.

Example: opbench withdraw last

A withdrawn submission does not count. What its records had replaced counts
again, and its entry stays in the public log. --undo gives it the state that it
had before; with "last", it takes the newest withdrawn one. Submissions of other
devices, or sent by hand, can be withdrawn on the board: sign in, then open the
submission's page.

"opbench submit" does not send the withdrawn days again. A day that grows
afterwards is sent as a whole. To send withdrawn days again as this device has
them: opbench submit --withdrawn.

--json prints {"board", "submission": {"id", "received_at", "records",
"first_day", "last_day", "states", ...}}; without ID {"board", "submissions":
[{"id", "received_at", "records", "state"}]}.
`,
  options: { undo: 'flag', board: readBoardUrl },
  words: 1,
  async run({ words: [id], values }, output, device) {
    const { board, undo } = values;
    const identity = identityOf(device, board);
    if (id === undefined) return list(device, identity, output);
    const submission = await change(device, identity, { id, isUndo: undo });
    const text = undo ? restoredText(device, submission) : withdrawnText(device, submission);
    output.result({ board: identity.board, submission }, text);
    if (!undo && !output.isJson) {
      output.note(`To undo this: opbench withdraw ${plain(submission.id)} --undo`);
    }
    return EXIT.ok;
  },
});

function withdrawnText(device: LocalDevice, submission: SubmissionAnswer): string {
  const what = recordsText(device, submission);
  return `Withdrawn: ${what}. They do not count from the board's next update on.`;
}

function restoredText(device: LocalDevice, submission: SubmissionAnswer): string {
  const { held = 0, rejected = 0 } = submission.states;
  const effect =
    held + rejected === 0
      ? "They count again from the board's next update on."
      : 'They do not count: they are on hold or rejected, as before.';
  return `Restored: ${recordsText(device, submission)}. ${effect}`;
}

function recordsText({ nowMs }: LocalDevice, submission: SubmissionAnswer): string {
  const { records, first_day, last_day } = submission;
  return `${counted(records, 'record')} of ${daysText([first_day, last_day], nowMs())}`;
}

/** Exits as for a missing argument. */
async function list(device: LocalDevice, identity: Identity, output: AgentOutput) {
  const { board } = identity;
  const submissions = await listSubmissions(device, identity);
  const rows = submissions.map(({ id, received_at, records, state }) => {
    return [momentText(received_at), String(records), STATES[state], id];
  });
  const head = `The last submissions of this device to ${board}:`;
  output.result(
    { board, submissions },
    rows.length === 0
      ? `This device kept no receipt from ${board}`
      : [head, ...tableLines(COLUMNS, rows)].join('\n'),
  );
  output.note(
    'Which one? To withdraw: opbench withdraw ID. To undo that: opbench withdraw ID --undo',
  );
  return EXIT.usage;
}

const COLUMNS = [
  { title: 'received' },
  { title: 'records', side: 'right' as const },
  { title: 'state' },
  { title: 'ID' },
];

const STATES = {
  accepted: 'accepted',
  held: 'on hold',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
} as const;
