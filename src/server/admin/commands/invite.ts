import { wholeNumber } from '#core/cli/arguments.ts';
import { inviteByMail } from '#server/identity/joining/invite-by-mail.ts';
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from '#server/identity/joining/invitations.ts';
import { INVITATION_DEFAULTS, INVITATION_LIMITS } from '#core/schema/invitation.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readServedConfig } from '../../running-server.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withOpenStore, withStore } from '../store.ts';

const HEAD = ['ID', 'STATE', 'USES', 'EXPIRES', 'FOR'];
const now = () => new Date();

/** Prints only the link on stdout. */
const create = action({
  help: `opbench-board invite create: create an invitation and print its link

Usage: opbench-board invite create --for TEXT [--uses N] [--days N]
         [--cohort ID] [--json]

  --for TEXT   what it is for; people read it on the invitation
  --uses N     how many people can use it; default: ${INVITATION_DEFAULTS.uses}
  --days N     for how many days; default: ${INVITATION_DEFAULTS.days}
  --cohort ID  the cohort of the new accounts
  --json       print JSON

The link is shown once, because the board stores only its hash. It lets its
holder create an account, even if others cannot join.

Example: opbench-board invite create --for "our spring challenge" --uses 30
`,
  json: `opbench-board invite create --json prints one object:

  id          the ID, for "opbench-board invite revoke"
  url         the link
  expires_at  when it expires
`,
  options: {
    for: 'needed',
    uses: wholeNumber(1, INVITATION_LIMITS.uses),
    days: wholeNumber(1, INVITATION_LIMITS.days),
    cohort: 'text',
  },
  run({ values }, output, settings) {
    const {
      for: label,
      uses = INVITATION_DEFAULTS.uses,
      days = INVITATION_DEFAULTS.days,
      cohort = null,
    } = values;
    const { cohorts } = readServedConfig(settings).signIn;
    withStore(settings, (store, { baseUrl }) => {
      const request = { label, uses, days, cohort_id: cohort };
      const created = createInvitation({ store, now }, request, { baseUrl, cohorts });
      output.result(created, created.url);
      output.note('Save the link now. The board stores only its hash and cannot show it again.');
    });
    return EXIT.ok;
  },
});

const mail = action({
  help: `opbench-board invite mail: send invitations by email

Usage: opbench-board invite mail ADDRESSES --for TEXT [--days N] [--cohort ID]
         [--json]

  ADDRESSES    email addresses, separated by commas
  --for TEXT   what the invitation is for; people read it in the email
  --days N     for how many days; default: ${INVITATION_DEFAULTS.days}
  --cohort ID  the cohort of the new accounts
  --json       print JSON

Each address gets a link for one person. The board does not store addresses. It
needs SMTP_URL.

Example: opbench-board invite mail ada@example.org,bo@example.org \\
  --for "our spring challenge"
`,
  json: `opbench-board invite mail --json prints one object:

  sent    the number of emails that the mail server accepted
  failed  array of the other addresses; their invitations are revoked
`,
  options: { for: 'needed', days: wholeNumber(1, INVITATION_LIMITS.days), cohort: 'text' },
  word: 'ADDRESSES',
  async run({ word: addresses, values }, output, settings) {
    const { for: label, days = INVITATION_DEFAULTS.days, cohort = null } = values;
    const config = readServedConfig(settings);
    const { mail: server } = config.signIn;
    if (!server) throw new ConfigError('Email is not set up. Set SMTP_URL and MAIL_FROM');
    let allSent = true;
    await withOpenStore(settings, async (store, { baseUrl }) => {
      const sender = {
        config: { ...config, baseUrl },
        mailer: createMailer(server),
        logger: { warn: () => undefined },
      };
      const request = { label, days, cohort_id: cohort, addresses };
      const result = await inviteByMail({ store, now }, request, sender);
      output.result({ ...result });
      output.note(`${result.sent} ${result.sent === 1 ? 'email' : 'emails'} sent.`);
      allSent = result.failed.length === 0;
      if (!allSent) output.note(`The mail server rejected: ${result.failed.join(', ')}`);
    });
    return allSent ? EXIT.ok : EXIT.refused;
  },
});

const list = action({
  help: `opbench-board invite list: list invitations, newest first, without their links

Usage: opbench-board invite list [--json]

  --json  print JSON

Example: opbench-board invite list
`,
  json: `opbench-board invite list --json prints one object:

  entries  array of {id, label, cohort_id, uses, most_uses, state, created_by,
           created_at, expires_at}; state is open, used up, expired or revoked
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = listInvitations({ store, now });
      const rows = entries.map(({ id, state, uses, most_uses, expires_at, label }) => {
        return [id, state, `${uses}/${most_uses}`, expires_at.slice(0, 10), label];
      });
      output.result({ entries }, tableOf([HEAD, ...rows]));
    });
    return EXIT.ok;
  },
});

const revoke = action({
  help: `opbench-board invite revoke: revoke an invitation

Usage: opbench-board invite revoke ID [--json]

  ID      the invitation, as "opbench-board invite list" shows it
  --json  print JSON

Accounts that joined with it stay.

Example: opbench-board invite revoke 5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e
`,
  json: `opbench-board invite revoke --json prints one object:

  id  the ID of the invitation
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store) => {
      revokeInvitation({ store, now }, id);
      output.result({ id });
      output.note(`The invitation ${id} is revoked.`);
    });
    return EXIT.ok;
  },
});

export const invite: Command = {
  help: `opbench-board invite: invite people to join

Usage: opbench-board invite create --for TEXT [OPTIONS]
       opbench-board invite mail ADDRESSES --for TEXT [OPTIONS]
       opbench-board invite list [--json]
       opbench-board invite revoke ID [--json]

  create  create an invitation and print its link
  mail    send invitations by email
  list    list invitations, without their links
  revoke  revoke an invitation

"opbench-board invite create --help" explains the options.

Example: opbench-board invite create --for "our spring challenge" --uses 30
`,
  json: `"opbench-board invite create --json" prints {"id", "url", "expires_at"}.
"opbench-board invite mail --json" prints {"sent", "failed"}.
"opbench-board invite list --json" prints {"entries": [{"id", "label",
"cohort_id", "uses", "most_uses", "state", "created_by", "created_at",
"expires_at"}]}. "opbench-board invite revoke --json" prints {"id"}.
`,
  actions: { create, mail, list, revoke },
};
