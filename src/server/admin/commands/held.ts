/** Lists submissions: those on hold, and those of one operator. */
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { decisionOf } from '#server/counting/submission-state.ts';
import { operatorCalled } from '#server/operator/visibility.ts';
import { EXIT, LIMIT, command, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const SHOWN = 20;
/** Higher than every log index. */
const LAST = Number.MAX_SAFE_INTEGER;
const HEAD = ['ID', 'RECEIVED', 'STATE', 'DAYS', 'RECORDS', 'TOOLS', 'FROM'];

export const heldList = command({
  help: `opbench-board held: list the submissions that wait for your decision

Usage: opbench-board held [--json]

  --json  print JSON

For each submission on hold, newest hold first, held shows its ID, the operator,
the time it was received, who put it on hold, and why. Decide with
"opbench-board release" or "opbench-board reject".

Example: opbench-board held
`,
  json: `opbench-board held --json prints one object:

  entries  array of {id, codename, public_name, since, by, reason}

  public_name  the name that others see; null if the operator is not visible
  since        time when the submission was received
  by           who put it on hold
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = heldIn(store);
      const lines = entries.map((entry) => {
        const { id, since, by, reason } = entry;
        return `${id} ${nameOf(entry)}, received ${since}, put on hold by ${holderOf(by)}\n  ${plain(reason)}\n`;
      });
      output.result({ entries }, lines.join(''));
      if (entries.length === 0) output.note('No submission is on hold.');
    });
    return EXIT.ok;
  },
});

export const submissionList = command({
  help: `opbench-board submissions: list an operator's submissions, newest first

Usage: opbench-board submissions CODENAME [--limit N] [--json]

  CODENAME   the operator; for an anonymous operator, also the public name
  --limit N  show at most N submissions; default: ${SHOWN}
  --json     print JSON

Example: opbench-board submissions ada --limit 5
`,
  json: `opbench-board submissions --json prints one object:

  codename     the operator's codename
  public_name  the name that others see; null if the operator is not visible
  entries      array of {id, received_at, state, first_day, last_day, records,
               tools, trust}

  trust  signed or self_reported
`,
  options: { limit: LIMIT },
  word: 'CODENAME',
  run({ values: { limit = SHOWN }, word: name }, output, settings) {
    withStore(settings, (store, { now }) => {
      const operator = operatorCalled({ store, now: () => now }, name);
      if (!operator) throw new DomainError('not_found', `No operator is called "${name}"`);
      const { id: operator_id, codename, public_name } = operator;
      const rows = store.submissions.page({ operator_id, signed: false }, LAST, limit);
      const entries = rows.map(entryOf);
      const text = entries.length === 0 ? '' : tableOf([HEAD, ...entries.map(cellsOf)]);
      output.result({ codename, public_name, entries }, text);
      const whose = nameOf(operator);
      output.note(entries.length === 0 ? `${whose} has no submissions.` : `Operator: ${whose}`);
    });
    return EXIT.ok;
  },
});

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
  const names = JSON.parse(tools) as string[];
  return { id, received_at, state, first_day, last_day, records, tools: names, trust };
}

function cellsOf(entry: ReturnType<typeof entryOf>): string[] {
  const { id, received_at, state, first_day, last_day, records, tools, trust } = entry;
  const days = `${first_day} to ${last_day}`;
  return [id, received_at, state, days, String(records), tools.join(', '), trust];
}

function holderOf(by: string): string {
  return by === 'keeper' ? 'an admin' : by.replace('check:', 'the check ');
}

/** The codename, with the name that others see if it differs. */
function nameOf({ codename, public_name }: { codename: string; public_name: string | null }) {
  if (public_name === codename) return codename;
  return `${codename} (${public_name === null ? 'not visible to others' : `visible as ${public_name}`})`;
}
