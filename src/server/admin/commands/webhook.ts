import { UsageError, oneOf } from '#core/cli/arguments.ts';
import { WEBHOOK_FORMS, WEBHOOK_TYPES } from '#core/contract/webhooks.ts';
import { addWebhook, removeWebhook, rotateWebhook } from '#server/webhooks/manage-webhooks.ts';
import { testWebhook } from '#server/webhooks/test-webhook.ts';
import { readServedConfig } from '#server/running-server.ts';
import { type Command, EXIT, action } from '../command.ts';
import { withOpenStore, withStore } from '../store.ts';
import { webhookDeliveries, webhookList } from './webhook-lists.ts';

const TYPES_HELP = WEBHOOK_TYPES.map((type) => `  ${type}\n`).join('');

function namesIn(text: string, option: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new UsageError(`--${option} takes types of events, separated by commas`);
}

const ADD_OPTIONS = { as: oneOf(WEBHOOK_FORMS), events: namesIn };

/** Prints the signing secret on stdout, or the ID if there is none. */
const add = action({
  help: `opbench-board webhook add: send events to a URL

Usage: opbench-board webhook add URL [--as FORM] [--events LIST] [--json]

  URL            where to send events; it can contain a token of the service
  --as FORM      ${WEBHOOK_FORMS.join(', ')}; default: standard
  --events LIST  types of events, separated by commas; default: all
  --json         print JSON

Events:
${TYPES_HELP}
"standard" sends signed JSON according to Standard Webhooks. Its signing secret is
shown once. The other forms send messages of these services.

URL must begin with https:// and lead to a public address. To allow private
networks, also without encryption, set WEBHOOK_NETWORKS.

Example: opbench-board webhook add https://hooks.example.org/board \\
  --events record.set,leader.changed
`,
  json: `opbench-board webhook add --json prints one object:

  id      the ID of the webhook
  form    how events are sent
  host    the host of the URL
  events  array of the types of events
  secret  the signing secret; null for forms that are not signed
`,
  options: ADD_OPTIONS,
  word: 'URL',
  run({ values: { as: form = 'standard', events = null }, word: url }, output, settings) {
    const { webhookNetworks: networks } = readServedConfig(settings);
    withStore(settings, (store, { now }) => {
      const added = addWebhook(store, { url, form, events }, { networks, now });
      const { id, secret } = added;
      output.result(added, secret ?? id);
      if (secret !== null) output.note('Save the secret now. The board does not show it again.');
      output.note(`Test it: opbench-board webhook test ${id}`);
    });
    return EXIT.ok;
  },
});

const remove = action({
  help: `opbench-board webhook remove: stop sending events to a webhook

Usage: opbench-board webhook remove ID [--json]

  ID      the webhook, as "opbench-board webhook list" shows it
  --json  print JSON

Its deliveries are deleted, also those that are pending.

Example: opbench-board webhook remove 1f0c4a9b2d3e
`,
  json: `opbench-board webhook remove --json prints one object:

  id  the ID of the webhook
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      removeWebhook(store, id, { now });
      output.result({ id });
      output.note(`The webhook ${id} is removed.`);
    });
    return EXIT.ok;
  },
});

const rotate = action({
  help: `opbench-board webhook rotate: replace the signing secret of a webhook

Usage: opbench-board webhook rotate ID [--json]

  ID      the webhook, as "opbench-board webhook list" shows it
  --json  print JSON

For 24 hours, events are signed with both secrets. Give the receiver the new one in
this time.

Example: opbench-board webhook rotate 1f0c4a9b2d3e
`,
  json: `opbench-board webhook rotate --json prints one object:

  id      the ID of the webhook
  secret  the new signing secret
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      const secret = rotateWebhook(store, id, { now });
      output.result({ id, secret }, secret);
      output.note('Save the secret now. The old one also signs for 24 hours.');
    });
    return EXIT.ok;
  },
});

const test = action({
  help: `opbench-board webhook test: send a test event now

Usage: opbench-board webhook test ID [--json]

  ID      the webhook, as "opbench-board webhook list" shows it
  --json  print JSON

If the receiver accepts the event, a disabled webhook is enabled again.

Example: opbench-board webhook test 1f0c4a9b2d3e
`,
  json: `opbench-board webhook test --json prints one object:

  id           the ID of the webhook
  is_accepted  whether the receiver accepted the event
  outcome      the status of the response, such as "HTTP 200", or why there is none
`,
  word: 'ID',
  async run({ word: id }, output, settings) {
    const { webhookNetworks: networks, site } = readServedConfig(settings);
    let exit: number = EXIT.ok;
    await withOpenStore(settings, async (store, { baseUrl }) => {
      const sender = { store, baseUrl, name: site.name, networks, now: () => new Date() };
      const { isAccepted, outcome } = await testWebhook(sender, id);
      output.result({ id, is_accepted: isAccepted, outcome }, outcome);
      output.note(isAccepted ? 'The receiver accepted the event.' : adviceOn(outcome));
      if (!isAccepted) exit = EXIT.refused;
    });
    return exit;
  },
});

function adviceOn(outcome: string): string {
  if (outcome === 'address not allowed') {
    return 'The URL leads to a private address, or is not encrypted. To allow the network, set WEBHOOK_NETWORKS.';
  }
  return 'The receiver did not accept the event. It must respond with a status from 200 to 299 within 15 seconds.';
}

export const webhook: Command = {
  help: `opbench-board webhook: send events to other services

Usage: opbench-board webhook add URL [--as FORM] [--events LIST] [--json]
       opbench-board webhook list [--json]
       opbench-board webhook deliveries [ID] [--limit N] [--json]
       opbench-board webhook test ID [--json]
       opbench-board webhook rotate ID [--json]
       opbench-board webhook remove ID [--json]

  add         send events to a URL
  list        list all webhooks and their status
  deliveries  list the newest deliveries
  test        send a test event now
  rotate      replace the signing secret
  remove      stop sending events

"opbench-board webhook add --help" lists the events and forms.

Example: opbench-board webhook list
`,
  json: `"opbench-board webhook add --json" prints {"id", "form", "host", "events",
"secret"}. "list" and "deliveries" print {"entries": [...]}. "test" prints {"id",
"is_accepted", "outcome"}. "rotate" prints {"id", "secret"}. "remove" prints {"id"}.

"opbench-board webhook list --help --json" describes the objects.
`,
  actions: { add, list: webhookList, deliveries: webhookDeliveries, test, rotate, remove },
};
