import { wholeNumber } from '#core/cli/arguments.ts';
import { LIMITS } from '#core/contract/limits.ts';
import { issueApiKey, revokeApiKey } from '#server/identity/api-keys.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const MAX_PER_MINUTE = 1_000_000;
const HEAD = ['ID', 'LABEL', 'PER MINUTE', 'CREATED', 'REVOKED'];

/** Prints a new key, and nothing else, on stdout. */
const issue = action({
  options: { label: 'needed', 'per-minute': wholeNumber(1, MAX_PER_MINUTE) },
  run({ values }, output) {
    const { label, 'per-minute': per_minute = LIMITS.key.quota } = values;
    withStore((store, { now }) => {
      const text = issueApiKey(store, { label, per_minute, now });
      const [, id] = text.split('_');
      output.result({ key: text, id, label, per_minute }, text);
      output.note('Keep it: the board stores only its hash and cannot show it again.');
    });
    return EXIT.ok;
  },
});

/** Prints all keys as a table on stdout. */
const list = action({
  run(_, output) {
    withStore((store) => {
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
  word: 'ID',
  run({ word: id }, output) {
    withStore((store, { now }) => {
      revokeApiKey(store, id, now);
      output.result({ id });
      output.note(`The key ${id} is refused from now on.`);
    });
    return EXIT.ok;
  },
});

export const key: Command = {
  help: `opbench-board key issue --label LABEL [--per-minute N] [--json]: prints a new API
key, and nothing else, on stdout. It is shown this once: the board keeps only
its hash. --per-minute is how many requests it allows (${LIMITS.key.quota}).
opbench-board key list [--json]: all keys, without their secrets.
opbench-board key revoke ID [--json]: refuses a key from now on.

Example: opbench-board key issue --label "weekly export" --per-minute 1200

--json prints {"key", "id", "label", "per_minute"} of issue, {"entries": [{"id",
"label", "per_minute", "created_at", "revoked_at"}]} of list, and {"id"} of
revoke.
`,
  actions: { issue, list, revoke },
};
