import type { Store } from '#db/store.ts';
import { plain, plainLines } from '#core/domain/text/terminal-text.ts';
import { type Message, answersTo, listMessages, messageOf } from '#server/messages/messages.ts';
import { type Command, EXIT, LIMIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';
import { answerAction, doneAction, reopenAction } from './message-changes.ts';

const SHOWN = 50;
const HEAD = ['ID', 'STATE', 'RECEIVED', 'FROM', 'ANSWERS', 'SUBJECT'];
const NONE = 'There are no messages.';

const list = action({
  help: `opbench-board messages list: list messages in one line each

Usage: opbench-board messages list [--open] [--limit N] [--json]

  --open     only messages that are not done
  --limit N  show at most N messages; default: ${SHOWN}
  --json     print JSON

Open messages come first, then the others, newest first.

Example: opbench-board messages list --open
`,
  json: `opbench-board messages list --json prints one object:

  entries  array of {id, state, codename, created_at, mailed_at, done_at, answers,
           subject}

  state      open or done
  mailed_at  when it was mailed to CONTACT_EMAIL; null if it was not
  done_at    when it was answered or marked as done; null for an open message
  answers    the number of answers
`,
  options: { open: 'flag', limit: LIMIT },
  run({ values: { open: onlyOpen, limit = SHOWN } }, output, settings) {
    withStore(settings, (store, { now }) => {
      const { messages } = listMessages({ store, now: () => now }, { onlyOpen, limit, offset: 0 });
      const entries = messages.map(summaryOf);
      const rows = entries.map(({ id, state, created_at, codename, answers, subject }) => {
        return [id, state, created_at, codename, String(answers), plain(subject)];
      });
      output.result({ entries }, rows.length === 0 ? '' : tableOf([HEAD, ...rows]));
      if (rows.length === 0) output.note(onlyOpen ? 'No message is open.' : NONE);
    });
    return EXIT.ok;
  },
});

const show = action({
  help: `opbench-board messages show: show a message and its answers

Usage: opbench-board messages show ID [--json]

  ID      the message, as "opbench-board messages list" shows it
  --json  print JSON

Example: opbench-board messages show 5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e
`,
  json: `opbench-board messages show --json prints one object:

  id, state, codename, created_at, mailed_at, done_at, subject
           as "opbench-board messages list --json" prints them
  message  the text
  answers  array of {created_at, actor, via, is_mailed, answer}, oldest first;
           actor is the codename of the admin on the page, or null; via is command
           or page
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      const message = messageOf({ store, now: () => now }, id);
      const answers = answersTo(store, message).map((row) => {
        const { created_at, actor, via, is_mailed, answer } = row;
        return { created_at, actor, via, is_mailed: is_mailed === 1, answer };
      });
      const whole = { ...summaryOf(message), message: message.message, answers };
      output.result(whole, textOf(message) + answers.map(answerText).join(''));
      output.note(`The message is ${message.state}.`);
    });
    return EXIT.ok;
  },
});

type Summarized = Omit<Message, 'sending' | 'sending_until'>;

function summaryOf({ id, state, codename, created_at, mailed_at, done_at, ...row }: Summarized) {
  const { answers, subject } = row;
  return { id, state, codename, created_at, mailed_at, done_at, answers, subject };
}

type Newest = ReturnType<Store['contactMessages']['newest']>[number];
type Shown = Pick<Newest, 'codename' | 'created_at' | 'id' | 'mailed_at' | 'message' | 'subject'>;

function textOf({ id, codename, created_at, mailed_at, subject, message }: Shown): string {
  const mailed = mailed_at === null ? 'not mailed' : 'mailed';
  return `${created_at} ${codename}, ${mailed} (${id})\n  ${plain(subject)}\n\n${indented(message)}\n\n`;
}

interface ShownAnswer {
  created_at: string;
  actor: string | null;
  via: 'command' | 'page';
  is_mailed: boolean;
  answer: string;
}

function answerText({ created_at, actor, via, is_mailed, answer }: ShownAnswer): string {
  const by = via === 'command' ? 'a command' : (actor ?? 'a deleted account');
  const mailed = is_mailed ? 'mailed' : 'not mailed';
  return `${created_at} answered by ${by}, ${mailed}\n\n${indented(answer)}\n\n`;
}

/** Indented, so that one message cannot look like two. */
function indented(text: string): string {
  return plainLines(text).replaceAll(/^/gm, '  ');
}

export const messages: Command = {
  help: `opbench-board messages: read and answer messages from operators

Usage: opbench-board messages [--json]
       opbench-board messages list [--open] [--limit N] [--json]
       opbench-board messages show ID [--json]
       opbench-board messages answer ID --text TEXT [--no-email] [--json]
       opbench-board messages done ID [--json]
       opbench-board messages reopen ID [--json]

  list    list messages in one line each, open ones first
  show    show a message and its answers
  answer  answer a message and mark it as done
  done    mark a message as done without an answer
  reopen  mark a message as open again
  --json  print JSON

Without a subcommand, messages shows the last ${SHOWN} in full, newest first, and
whether each was mailed to CONTACT_EMAIL.

Example: opbench-board messages list --open
`,
  json: `opbench-board messages --json prints one object:

  entries  array of {id, codename, created_at, mailed_at, subject, message};
           mailed_at is null if the message was not mailed

"opbench-board messages list --help --json" describes the JSON of "list", and so on.
`,
  actions: { list, show, answer: answerAction, done: doneAction, reopen: reopenAction },
  alone: {
    run(_, output, settings) {
      withStore(settings, (store) => {
        const entries = store.contactMessages.newest(SHOWN).map((row) => {
          const { id, codename, created_at, mailed_at, subject, message } = row;
          return { id, codename, created_at, mailed_at, subject, message };
        });
        output.result({ entries }, entries.map(textOf).join(''));
        if (entries.length === 0) output.note(NONE);
      });
      return EXIT.ok;
    },
  },
};
