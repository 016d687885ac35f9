import { LIMITS } from '#core/contract/limits.ts';
import { issueApiKey } from '../commands/issue-api-key.ts';
import { revokeApiKey } from '../commands/revoke-api-key.ts';
import { readArguments } from './arguments.ts';
import { withStore } from './store.ts';
import { tableOf } from './table.ts';
import { UsageError } from './usage-error.ts';

const MAX_PER_MINUTE = 1_000_000;
const HEAD = ['ID', 'LABEL', 'PER MINUTE', 'CREATED', 'REVOKED'];

const ACTIONS: Readonly<Record<string, (args: string[]) => void>> = { issue, list, revoke };

/** The keys of the API's readers. */
export function key([name = '', ...args]: string[]): void {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) throw new UsageError('key takes issue, list or revoke');
  action(args);
}

/** Prints a new key, and nothing else, on stdout. */
function issue(args: string[]): void {
  const options = { label: { type: 'string' }, 'per-minute': { type: 'string' } } as const;
  const usage = 'key issue takes --label and --per-minute';
  const { values } = readArguments(args, { options, words: 0, usage });
  const { label, 'per-minute': rate = String(LIMITS.key.quota) } = values;
  if (label === undefined) throw new UsageError('key issue needs --label');
  const per_minute = /^\d{1,7}$/.test(rate) ? Number(rate) : 0;
  if (per_minute < 1 || per_minute > MAX_PER_MINUTE) {
    throw new UsageError(`--per-minute takes a whole number from 1 to ${MAX_PER_MINUTE}`);
  }
  withStore((store, { now }) => {
    const text = issueApiKey(store, { label, per_minute, now });
    process.stdout.write(`${text}\n`);
    process.stderr.write('Keep it: the board stores only its hash and cannot show it again.\n');
  });
}

/** Prints all keys as a table on stdout. */
function list(args: string[]): void {
  readArguments(args, { options: {}, words: 0, usage: 'key list takes nothing more' });
  withStore((store) => {
    const rows = store.apiKeys.all().map((row) => {
      const { id, label, per_minute, created_at, revoked_at } = row;
      return [id, label, String(per_minute), created_at, revoked_at ?? ''];
    });
    process.stdout.write(tableOf([HEAD, ...rows]));
  });
}

function revoke(args: string[]): void {
  const usage = 'key revoke takes one ID, as key list shows it';
  const [id = ''] = readArguments(args, { options: {}, words: 1, usage }).positionals;
  withStore((store, { now }) => {
    revokeApiKey(store, id, now);
    process.stderr.write(`The key ${id} is refused from now on.\n`);
  });
}
