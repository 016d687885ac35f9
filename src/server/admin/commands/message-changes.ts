/** Answers messages of operators, and marks them as done. */
import { type Answering, reasonNotToMail } from '#server/messages/answer-mail.ts';
import { answerMessage } from '#server/messages/answer-message.ts';
import { closeMessage, reopenMessage } from '#server/messages/close-message.ts';
import { messageOf } from '#server/messages/messages.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { ConfigError } from '../../config/config-error.ts';
import { type ServedSettings, readServedConfig } from '../../running-server.ts';
import { EXIT, action } from '../command.ts';
import { withOpenStore, withStore } from '../store.ts';

const ID_HELP = `  ID      the message, as "opbench-board messages list" shows it
  --json  print JSON`;

const now = () => new Date();

export const answerAction = action({
  help: `opbench-board messages answer: answer a message and mark it as done

Usage: opbench-board messages answer ID --text TEXT [--no-email] [--json]

  ID           the message, as "opbench-board messages list" shows it
  --text TEXT  the answer, as plain text
  --no-email   do not email the answer
  --json       print JSON

The operator reads the answer in the settings and, if the board can send email and
the operator confirmed an address, by email. If the email fails, nothing is stored
and the message stays open.

Example: opbench-board messages answer 5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e \\
  --text "The submission counts again."
`,
  json: `opbench-board messages answer --json prints one object:

  id         the ID of the message
  state      done
  is_mailed  whether the answer was emailed
`,
  options: { text: 'needed', 'no-email': 'flag' },
  word: 'ID',
  async run({ word: id, values: { text: answer, 'no-email': noMail } }, output, settings) {
    const mailer = noMail ? null : mailerIn(settings);
    const { dataDir, site } = readServedConfig(settings);
    await withOpenStore(settings, async (store, { baseUrl }) => {
      const config = { dataDir, site, baseUrl };
      const ctx: Answering = { store, now, config, mailer, logger: { warn: () => undefined } };
      const { operator_id } = messageOf(ctx, id);
      const is_mailed = await answerMessage(ctx, { id, answer, byMail: !noMail });
      output.result({ id, state: 'done', is_mailed });
      const reason = noMail || is_mailed ? null : reasonNotToMail(ctx, operator_id);
      output.note(`The message ${id} is answered${is_mailed ? ', also by email' : ''}.`);
      if (reason !== null) output.note(`The answer was not emailed: ${reason}.`);
    });
    return EXIT.ok;
  },
});

/** @throws {ConfigError} if the running server has a mail server that is unknown here. */
function mailerIn(settings: ServedSettings) {
  if (settings.unknown.includes('SMTP_URL')) {
    throw new ConfigError(
      'SMTP_URL of the running server is secret and unknown here. Name the file that sets it with --env-file FILE, or answer with --no-email',
    );
  }
  const { mail } = readServedConfig(settings).signIn;
  return mail && createMailer(mail);
}

export const doneAction = action({
  help: `opbench-board messages done: mark a message as done without an answer

Usage: opbench-board messages done ID [--json]

${ID_HELP}

The operator is not notified.

Example: opbench-board messages done 5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e
`,
  json: stateJson('done'),
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store) => {
      closeMessage({ store, now }, id);
      output.result({ id, state: 'done' });
      output.note(`The message ${id} is done.`);
    });
    return EXIT.ok;
  },
});

export const reopenAction = action({
  help: `opbench-board messages reopen: mark a message as open again

Usage: opbench-board messages reopen ID [--json]

${ID_HELP}

An open message can be answered, also if it has answers.

Example: opbench-board messages reopen 5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e
`,
  json: stateJson('reopen'),
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store) => {
      reopenMessage({ store, now }, id);
      output.result({ id, state: 'open' });
      output.note(`The message ${id} is open again.`);
    });
    return EXIT.ok;
  },
});

function stateJson(name: 'done' | 'reopen'): string {
  return `opbench-board messages ${name} --json prints one object:

  id     the ID of the message
  state  ${name === 'done' ? 'done' : 'open'}
`;
}
