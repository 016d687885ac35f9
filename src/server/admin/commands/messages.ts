import type { Store } from '#db/store.ts';
import { plain, plainLines } from '#core/domain/text/terminal-text.ts';
import { EXIT, command } from '../command.ts';
import { withStore } from '../store.ts';

const SHOWN = 50;

export const messages = command({
  help: `opbench-board messages: show the last ${SHOWN} messages from operators, newest first

Usage: opbench-board messages [--json]

  --json  print JSON

messages also shows whether each message was mailed to CONTACT_EMAIL.

Example: opbench-board messages
`,
  json: `opbench-board messages --json prints one object:

  entries  array of {id, codename, created_at, mailed_at, subject, message};
           mailed_at is null if the message was not mailed
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = store.contactMessages.newest(SHOWN).map(entryOf);
      output.result({ entries }, entries.map(textOf).join(''));
      if (entries.length === 0) output.note('There are no messages.');
    });
    return EXIT.ok;
  },
});

type Row = ReturnType<Store['contactMessages']['newest']>[number];

function entryOf({ id, codename, created_at, mailed_at, subject, message }: Row) {
  return { id, codename, created_at, mailed_at, subject, message };
}

function textOf(entry: ReturnType<typeof entryOf>): string {
  const { id, codename, created_at, mailed_at, subject, message } = entry;
  const mailed = mailed_at === null ? 'not mailed' : 'mailed';
  // Indented, so that one message cannot look like two.
  const text = plainLines(message).replaceAll(/^/gm, '  ');
  return `${created_at} ${codename}, ${mailed} (${id})\n  ${plain(subject)}\n\n${text}\n\n`;
}
