/** What an admin looks at before deciding: what is held, and what an operator sent. */
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { decisionOf } from '#server/counting/submission-state.ts';
import { operatorCalled } from '#server/operator/visibility.ts';
import { EXIT, LIMIT, command, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const SHOWN = 20;
/** After every place in the log. */
const LAST = Number.MAX_SAFE_INTEGER;
const HEAD = ['ID', 'RECEIVED', 'STATE', 'DAYS', 'RECORDS', 'TOOLS', 'FROM'];

export const heldList = command({
  help: `opbench-board held [--json]: the submissions that wait for you to decide, those
held last first: whose each is, since when, who held it, and why. Decide with
release, or reject.

Example: opbench-board held

--json prints {"entries": [{"id", "codename", "public_name", "since", "by",
"reason"}]}. "public_name" is what everybody sees instead of the codename; null
if they see nothing.
`,
  run(_, output) {
    withStore((store) => {
      const entries = heldIn(store);
      const lines = entries.map((entry) => {
        const { id, since, by, reason } = entry;
        return `${id} ${nameOf(entry)}, since ${since}, ${by}\n  ${plain(reason)}\n`;
      });
      output.result({ entries }, lines.join(''));
      if (entries.length === 0) output.note('Nothing is held.');
    });
    return EXIT.ok;
  },
});

export const submissionList = command({
  help: `opbench-board submissions CODENAME [--limit N] [--json]: what an operator sent,
newest first, ${SHOWN} unless --limit says otherwise. CODENAME may be the name that
everybody sees of who is anonymous.

Example: opbench-board submissions ada --limit 5

--json prints {"codename", "public_name", "entries": [{"id", "received_at",
"state", "first_day", "last_day", "records", "tools", "trust"}]}.
`,
  options: { limit: LIMIT },
  word: 'CODENAME',
  run({ values: { limit = SHOWN }, word: name }, output) {
    withStore((store, { now }) => {
      const operator = operatorCalled({ store, now: () => now }, name);
      if (!operator) throw new DomainError('not_found', `No operator is called "${name}"`);
      const { id: operator_id, codename, public_name } = operator;
      const rows = store.submissions.page({ operator_id, signed: false }, LAST, limit);
      const entries = rows.map(entryOf);
      const text = entries.length === 0 ? '' : tableOf([HEAD, ...entries.map(cellsOf)]);
      output.result({ codename, public_name, entries }, text);
      output.note(entries.length === 0 ? `${name} sent nothing.` : `All of ${nameOf(operator)}.`);
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
