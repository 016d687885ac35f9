import { wholeNumber } from '#core/cli/arguments.ts';
import { LIMITS } from '#core/contract/limits.ts';
import { issueApiKey, revokeApiKey } from '#server/identity/api-keys.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const MAX_PER_MINUTE = 1_000_000;
const HEAD = ['ID', 'LABEL', 'PER MINUTE', 'CREATED', 'REVOKED'];

/** Prints only the new key on stdout. */
const issue = action({
  help: `opbench-board key issue: create an API key and print it

Usage: opbench-board key issue --label TEXT [--per-minute N] [--json]

  --label TEXT      who or what the key is for
  --per-minute N    requests that the key allows each minute; default: ${LIMITS.key.quota}
  --json            print JSON

The key is shown once, because the board stores only its hash. Readers send it in
the header "x-api-key".

Example: opbench-board key issue --label "weekly export" --per-minute 1200
`,
  json: `opbench-board key issue --json prints one object:

  key         the key, with its secret
  id          its ID, for "opbench-board key revoke"
  label       who or what it is for
  per_minute  requests that it allows each minute
`,
  options: { label: 'needed', 'per-minute': wholeNumber(1, MAX_PER_MINUTE) },
  run({ values }, output, settings) {
    const { label, 'per-minute': per_minute = LIMITS.key.quota } = values;
    withStore(settings, (store, { now }) => {
      const text = issueApiKey(store, { label, per_minute, now });
      const [, id] = text.split('_');
      output.result({ key: text, id, label, per_minute }, text);
      output.note('Save the key now. The board stores only its hash and cannot show it again.');
    });
    return EXIT.ok;
  },
});

const list = action({
  help: `opbench-board key list: list all API keys, without their secrets

Usage: opbench-board key list [--json]

  --json  print JSON

Example: opbench-board key list
`,
  json: `opbench-board key list --json prints one object:

  entries  array of {id, label, per_minute, created_at, revoked_at};
           revoked_at is null for a valid key
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = store.apiKeys.all().map((row) => {
        const { id, label, per_minute, created_at, revoked_at } = row;
        return { id, label, per_minute, created_at, revoked_at };
      });
      const rows = entries.map(({ id, label, per_minute, created_at, revoked_at }) => {
        return [id, label, String(per_minute), created_at, revoked_at ?? ''];
      });
      output.result({ entries }, tableOf([HEAD, ...rows]));
    });
    return EXIT.ok;
  },
});

const revoke = action({
  help: `opbench-board key revoke: revoke an API key

Usage: opbench-board key revoke ID [--json]

  ID      the key, as "opbench-board key list" shows it
  --json  print JSON

The board rejects the key immediately.

Example: opbench-board key revoke 1f0c4a9b2d3e
`,
  json: `opbench-board key revoke --json prints one object:

  id  the ID of the key
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      revokeApiKey(store, id, now);
      output.result({ id });
      output.note(`The key ${id} is revoked.`);
    });
    return EXIT.ok;
  },
});

export const key: Command = {
  help: `opbench-board key: issue, list or revoke API keys

An API key lets a reader send more requests than the public limit allows, and
download the records of all operators (GET /api/v1/corpus).

Usage: opbench-board key issue --label TEXT [--per-minute N] [--json]
       opbench-board key list [--json]
       opbench-board key revoke ID [--json]

  issue   create a key and print it
  list    list all keys, without their secrets
  revoke  revoke a key

"opbench-board key issue --help" explains the options.

Example: opbench-board key list
`,
  json: `"opbench-board key issue --json" prints {"key", "id", "label", "per_minute"}.
"opbench-board key list --json" prints {"entries": [{"id", "label", "per_minute",
"created_at", "revoked_at"}]}. "opbench-board key revoke --json" prints {"id"}.
`,
  actions: { issue, list, revoke },
};
