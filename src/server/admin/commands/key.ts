import { LIMITS } from '#core/contract/limits.ts';
import { issueApiKey } from '#server/identity/issue-api-key.ts';
import { revokeApiKey } from '#server/identity/revoke-api-key.ts';
import { readArguments } from '../arguments.ts';
import { type Command, EXIT, type Output } from '../command.ts';
import { withStore } from '../store.ts';
import { byFirstWord } from '../subcommand.ts';
import { tableOf } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const MAX_PER_MINUTE = 1_000_000;
const HEAD = ['ID', 'LABEL', 'PER MINUTE', 'CREATED', 'REVOKED'];

/** The keys of the API's readers. */
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
  run: byFirstWord('key', { issue, list, revoke }),
};

/** Prints a new key, and nothing else, on stdout. */
function issue(args: string[], output: Output) {
  const options = { label: { type: 'string' }, 'per-minute': { type: 'string' } } as const;
  const { values } = readArguments(args, { command: 'key issue', options });
  const { label, 'per-minute': rate = String(LIMITS.key.quota) } = values;
  if (label === undefined) throw new UsageError('key issue needs --label');
  const per_minute = /^\d{1,7}$/.test(rate) ? Number(rate) : 0;
  if (per_minute < 1 || per_minute > MAX_PER_MINUTE) {
    throw new UsageError(`--per-minute takes a whole number from 1 to ${MAX_PER_MINUTE}`);
  }
  withStore((store, { now }) => {
    const text = issueApiKey(store, { label, per_minute, now });
    const [, id] = text.split('_');
    output.result({ key: text, id, label, per_minute }, text);
    output.note('Keep it: the board stores only its hash and cannot show it again.');
  });
  return EXIT.ok;
}

/** Prints all keys as a table on stdout. */
function list(args: string[], output: Output) {
  readArguments(args, { command: 'key list' });
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
}

function revoke(args: string[], output: Output) {
  const { word: id } = readArguments(args, { command: 'key revoke', word: 'ID' });
  withStore((store, { now }) => {
    revokeApiKey(store, id, now);
    output.result({ id }, '');
    output.note(`The key ${id} is refused from now on.`);
  });
  return EXIT.ok;
}
