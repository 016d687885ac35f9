/** What a keeper looks at before deciding: what is held, and what an operator sent. */
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/errors.ts';
import { operatorOf } from '../operator.ts';
import { decisionOf } from '../submission-state.ts';
import { operatorCalled } from '../visibility.ts';
import { readArguments, readLimit } from './arguments.ts';
import { sayNothing, withStore } from './store.ts';
import { tableOf } from './table.ts';

/** So many submissions are printed if nothing is said. */
const SHOWN = 20;
/** After every place in the log. */
const LAST = Number.MAX_SAFE_INTEGER;
const HEAD = ['ID', 'RECEIVED', 'STATE', 'DAYS', 'RECORDS', 'TOOLS', 'FROM'];

/** Prints the submissions that wait for a decision on stdout, those held last first. */
export function heldList(args: string[]): void {
  const options = { json: { type: 'boolean' } } as const;
  const { values } = readArguments(args, { options, words: 0, usage: 'held takes --json' });
  withStore((store) => {
    const entries = heldIn(store);
    if (values.json) return void process.stdout.write(`${JSON.stringify({ entries })}\n`);
    if (entries.length === 0) return sayNothing('Nothing is held.');
    for (const { id, codename, public_name, since, by, reason } of entries) {
      const name = nameOf({ codename, public_name });
      process.stdout.write(`${id} ${name}, since ${since}, ${by}\n  ${reason}\n`);
    }
  });
}

/** Prints what an operator sent on stdout, newest first. */
export function submissionList(args: string[]): void {
  const options = { limit: { type: 'string' }, json: { type: 'boolean' } } as const;
  const usage = 'submissions takes one CODENAME, --limit and --json';
  const { values, positionals } = readArguments(args, { options, words: 1, usage });
  const limit = readLimit(values.limit, SHOWN);
  withStore((store, { now }) => {
    const [name = ''] = positionals;
    const operator = operatorCalled({ store, now: () => now }, name);
    if (!operator) throw new DomainError('not_found', `No operator is called "${name}"`);
    const { id: operator_id, codename, public_name } = operator;
    const rows = store.submissions.page({ operator_id, signed: false }, LAST, limit);
    const entries = rows.map(entryOf);
    if (values.json) {
      const answer = { codename, public_name, entries };
      return void process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
    if (entries.length === 0) return sayNothing(`${name} sent nothing.`);
    process.stdout.write(tableOf([HEAD, ...entries.map(cellsOf)]));
    process.stderr.write(`All of ${nameOf(operator)}.\n`);
  });
}

function heldIn(store: Store) {
  return store.moderation.held().map((row) => {
    const { codename, public_name } = operatorOf({ store }, row.operator_id);
    const { by, reason } = decisionOf(row);
    return { id: row.id, codename, public_name, since: row.received_at, by, reason };
  });
}

type Row = ReturnType<Store['submissions']['page']>[number];

function entryOf({ id, received_at, state, first_day, last_day, records, tools, keyid }: Row) {
  const trust = keyid === null ? 'self_reported' : 'signed';
  const said = JSON.parse(tools) as string[];
  return { id, received_at, state, first_day, last_day, records, tools: said, trust };
}

function cellsOf(entry: ReturnType<typeof entryOf>): string[] {
  const { id, received_at, state, first_day, last_day, records, tools, trust } = entry;
  const days = `${first_day} to ${last_day}`;
  return [id, received_at, state, days, String(records), tools.join(', '), trust];
}

/** The codename, and what the public sees instead of it. */
function nameOf({ codename, public_name }: { codename: string; public_name: string | null }) {
  if (public_name === codename) return codename;
  return `${codename} (${public_name === null ? 'seen by nobody' : `seen as ${public_name}`})`;
}
