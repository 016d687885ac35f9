import { plain, plainJson } from '#core/domain/text/terminal-text.ts';
import type { SubmissionAnswer } from '../board/answers.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import { type Device, identityOf } from '../device.ts';
import { EXIT } from '../failure.ts';
import type { Identity } from '../kept/keystore.ts';
import { listSubmissions, withdraw as change } from '../loop/withdraw.ts';
import { counted } from '../text/counted.ts';
import { daysText } from '../text/days.ts';
import { momentText } from '../text/moment.ts';
import { tableLines } from '../text/table.ts';

export const withdraw: Command = {
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
  async run(device, args, output) {
    const given = readArguments(args, {
      command: 'withdraw',
      options: ['undo', 'board', 'json'],
      words: 1,
    });
    const [id] = given.words;
    const identity = identityOf(device, given.board);
    if (id === undefined) return list(device, identity, given.json, output);
    const submission = await change(device, identity, { id, isUndo: given.undo });
    if (given.json) output.result(plainJson({ board: identity.board, submission }));
    else tell(device, submission, given.undo, output);
    return EXIT.ok;
  },
};

function tell(
  { nowMs }: Device,
  submission: SubmissionAnswer,
  isUndo: boolean,
  { result, note }: Output,
): void {
  const { id, records, first_day, last_day, states } = submission;
  const what = `${counted(records, 'record')} of ${daysText([first_day, last_day], nowMs())}`;
  if (!isUndo) {
    result(`Withdrawn: ${what}. They do not count from the board's next update on.`);
    note(`To undo this: opbench withdraw ${plain(id)} --undo`);
    return;
  }
  const isCounted = (states['held'] ?? 0) + (states['rejected'] ?? 0) === 0;
  const effect = isCounted
    ? "They count again from the board's next update on."
    : 'They do not count: they are on hold or rejected, as before.';
  result(`Restored: ${what}. ${effect}`);
}

/** Exits as for a missing argument. */
async function list(device: Device, identity: Identity, isJson: boolean, output: Output) {
  const { board } = identity;
  const submissions = await listSubmissions(device, identity);
  if (isJson) output.result(plainJson({ board, submissions }));
  else if (submissions.length === 0) output.result(`This device kept no receipt from ${board}`);
  else {
    const rows = submissions.map(({ id, received_at, records, state }) => {
      return [momentText(received_at), String(records), STATES[state], id];
    });
    output.result(`The last submissions of this device to ${board}:`);
    tableLines(COLUMNS, rows).forEach((line) => output.result(line));
  }
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
