import { plain } from '#core/domain/text/terminal-text.ts';
import type { SubmissionAnswer } from '../board/answers.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { type LocalDevice, identityOf } from '../device.ts';
import { EXIT } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { listSubmissions, withdraw as change } from '../loop/withdraw.ts';
import { counted, momentText } from '../text/figures.ts';
import { dayText } from '../text/known-devices.ts';
import { tableLines, wrapped } from '../text/table.ts';

export const withdraw = command({
  help: `opbench withdraw: withdraw a submission of this device, or undo that

Usage: opbench withdraw [ID | last] [--undo] [--board URL] [--json]

  ID           the submission's ID, or "last" for the newest; without it, the
               last submissions of this device are listed
  --undo       restore the submission; "last" is then the newest withdrawn one
  --board URL  the board; needed if you are enrolled on several
  --json       print JSON

A withdrawn submission no longer counts. Earlier submissions for the same days
count again. Its entry stays in the public log. "opbench submit" does not send
the withdrawn days again unless they grow or you add --withdrawn. To withdraw
submissions of another device, open them on the board.

Example: opbench withdraw last
`,
  json: `opbench withdraw ID --json prints one object:

  board
  submission   {id, received_at, records, first_day, last_day, states, ...}

Without ID:

  board
  submissions  array of {id, received_at, records, state}
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
  return wrapped(`Withdrawn: ${what}. They stop counting with the board's next update.`, 0);
}

function restoredText(device: LocalDevice, submission: SubmissionAnswer): string {
  const { held = 0, rejected = 0 } = submission.states;
  const effect =
    held + rejected === 0
      ? "They count again with the board's next update."
      : 'They do not count, because they are on hold or rejected, as before.';
  return wrapped(`Restored: ${recordsText(device, submission)}. ${effect}`, 0);
}

function recordsText({ nowMs }: LocalDevice, submission: SubmissionAnswer): string {
  const { records, first_day: from, last_day: to } = submission;
  const [first, last] = [from, to].map((day) => dayText(day, nowMs()));
  return `${counted(records, 'daily count')} (${from === to ? first : `${first} to ${last}`})`;
}

/** The exit code is that of a missing argument. */
async function list(device: LocalDevice, identity: Identity, output: AgentOutput) {
  const { board } = identity;
  const submissions = await listSubmissions(device, identity);
  const rows = submissions.map(({ id, received_at, records, state }) => {
    return [momentText(received_at), String(records), STATES[state], id];
  });
  const head = `Last submissions of this device to ${board}:`;
  output.result(
    { board, submissions },
    rows.length === 0
      ? `This device has no receipts from ${board}`
      : [head, ...tableLines(COLUMNS, rows)].join('\n'),
  );
  output.note('To withdraw one: opbench withdraw ID. To undo that: opbench withdraw ID --undo');
  return EXIT.usage;
}

const COLUMNS = [
  { title: 'received' },
  { title: 'counts', side: 'right' as const },
  { title: 'state' },
  { title: 'ID' },
];

const STATES = {
  accepted: 'accepted',
  held: 'on hold',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
} as const;
