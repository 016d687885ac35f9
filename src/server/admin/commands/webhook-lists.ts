import { WEBHOOK_TYPES } from '#core/contract/webhooks.ts';
import { KEPT_DAYS } from '#server/webhooks/announce.ts';
import { readDeliveries, readWebhooks } from '#server/webhooks/webhooks.ts';
import { EXIT, LIMIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const SHOWN = 50;
const HEAD = ['ID', 'AS', 'HOST', 'STATUS', 'PENDING', 'DELIVERED', 'FAILED', 'EVENTS'];
const DELIVERY_HEAD = [
  'CREATED',
  'WEBHOOK',
  'EVENT',
  'STATE',
  'ATTEMPTS',
  'RESULT',
  'NEXT ATTEMPT',
];

export const webhookList = action({
  help: `opbench-board webhook list: list all webhooks and their status

Usage: opbench-board webhook list [--json]

  --json  print JSON

The numbers are those of the last ${KEPT_DAYS} days. A webhook is disabled if all attempts
fail for 3 days, or if its receiver responds with 410. To enable it, repair the
receiver and run: opbench-board webhook test ID

Example: opbench-board webhook list
`,
  json: `opbench-board webhook list --json prints one object:

  entries  array of {id, form, host, events, status, created_at, failing_since,
           disabled_at, disabled_reason, pending, delivered, failed};
           status is "ok", "failing" or "disabled"
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = readWebhooks(store);
      const rows = entries.map(({ id, form, host, status, events, ...counts }) => {
        const numbers = [counts.pending, counts.delivered, counts.failed].map(String);
        const types = events.length === WEBHOOK_TYPES.length ? 'all' : events.join(',');
        return [id, form, host, status, ...numbers, types];
      });
      output.result({ entries }, rows.length === 0 ? '' : tableOf([HEAD, ...rows]));
      if (rows.length === 0) output.note('There are no webhooks.');
      for (const { id, disabled_reason: reason } of entries) {
        if (reason !== null) output.note(`The webhook ${id} is disabled. ${reason}.`);
      }
    });
    return EXIT.ok;
  },
});

export const webhookDeliveries = action({
  help: `opbench-board webhook deliveries: list the newest deliveries

Usage: opbench-board webhook deliveries [ID] [--limit N] [--json]

  ID         only those of this webhook
  --limit N  how many to list; default: ${SHOWN}
  --json     print JSON

Deliveries are kept for ${KEPT_DAYS} days.

Example: opbench-board webhook deliveries --limit 10
`,
  json: `opbench-board webhook deliveries --json prints one object:

  entries  array of {event_id, webhook_id, type, state, attempts, created_at,
           next_at, tried_at, outcome}, newest first; state is "pending",
           "delivered" or "failed"; event_id is the header webhook-id
`,
  options: { limit: LIMIT },
  word: '[ID]',
  run({ values: { limit = SHOWN }, word: id }, output, settings) {
    withStore(settings, (store) => {
      const entries = readDeliveries(store, id === '' ? null : id, limit);
      const rows = entries.map((row) => {
        const { created_at, webhook_id, type, state, attempts, outcome, next_at } = row;
        return [
          created_at,
          webhook_id,
          type,
          state,
          String(attempts),
          outcome ?? '',
          next_at ?? '',
        ];
      });
      output.result({ entries }, rows.length === 0 ? '' : tableOf([DELIVERY_HEAD, ...rows]));
      if (rows.length === 0) output.note('There are no deliveries.');
    });
    return EXIT.ok;
  },
});
