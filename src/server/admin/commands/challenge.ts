import { UsageError } from '#core/cli/arguments.ts';
import { DomainError, type Fault, refusalAmong } from '#core/domain/text/errors.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { type ChallengeRequest, createChallenge } from '#server/challenge/create-challenge.ts';
import { challengeOf } from '#server/challenge/challenges.ts';
import { readRulesets } from '#server/board/rulesets.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

/** The options that change what is asked of those who take part. */
const ASKED = {
  'min-active-days': 'active_days',
  'min-effective-days': 'effective_days',
  'min-total-tokens': 'total_tokens',
  'min-output-tokens': 'output_tokens',
  'min-coverage': 'coverage',
} as const satisfies Record<string, keyof ChallengeEligibility>;

/** The options, by what a challenge calls the same otherwise. */
const OPTION_OF: Readonly<Record<string, string>> = {
  first_day: 'from',
  last_day: 'to',
  ...Object.fromEntries(
    Object.entries(ASKED).map(([name, asked]) => [`eligibility/${asked}`, name]),
  ),
};
const NO_ID = 'makes no id of 3 to 60 letters a to z, digits and -: lengthen it, or give --id';

const HEAD = ['ID', 'STATUS', 'FROM', 'TO', 'METRIC', 'TOOL', 'TITLE'];

/** Prints the id of the new challenge, and nothing else, on stdout. */
const create = action({
  options: {
    id: 'text',
    title: 'needed',
    description: 'needed',
    metric: 'needed',
    from: 'needed',
    to: 'needed',
    tool: 'text',
    'min-active-days': number,
    'min-effective-days': number,
    'min-total-tokens': number,
    'min-output-tokens': number,
    'min-coverage': number,
  },
  run({ values }, output) {
    const { id = null, title, description, metric, from, to, tool = null } = values;
    const asked = (Object.keys(ASKED) as (keyof typeof ASKED)[]).flatMap((option) => {
      const value = values[option];
      return value === undefined ? [] : [[ASKED[option], value]];
    });
    const eligibility = Object.fromEntries(asked) as Partial<ChallengeEligibility>;
    const days = { first_day: from, last_day: to };
    const request = { id, title, description, metric, tool, ...days, eligibility };
    withStore((store, board) => {
      // What the server entered is in force, whatever this command's own configuration says.
      const ruleset = readRulesets({ store }).at(-1)?.ruleset ?? board.ruleset;
      const made = inOptions(request, () => {
        return createChallenge(store, request, { ruleset, now: board.now });
      });
      output.result({ id: made }, made);
      output.note(`It counts what is signed of ${from} to ${to} UTC.`);
    });
    return EXIT.ok;
  },
});

function number(text: string, option: string): number {
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new UsageError(`--${option} takes a number from 0`);
}

/** Does what may refuse a challenge, and then names the options that it was given by. */
function inOptions(request: ChallengeRequest, work: () => string): string {
  try {
    return work();
  } catch (error) {
    const { code, message, faults } = refusalAmong(error, 'validation_failed');
    const told = faults.map((fault) => optionFault(fault, request.id === null));
    throw new DomainError(code, message, told);
  }
}

function optionFault({ pointer, code, detail }: Fault, isIdMade: boolean): Fault {
  const place = pointer.slice(2);
  if (place === 'id' && isIdMade) return { pointer: '#/--title', code, detail: NO_ID };
  const words = detail.replaceAll(/first_day|last_day/g, (day) => `--${OPTION_OF[day]}`);
  return { pointer: `#/--${OPTION_OF[place] ?? place}`, code, detail: words };
}

/** Prints all challenges on stdout, as a table or with all that is known as JSON. */
const list = action({
  run(_, output) {
    withStore((store, { now }) => {
      const rows = store.challenges.all().map((row) => challengeOf(row, now));
      const lines = rows.map(({ id, status, first_day, last_day, metric, tool, title }) => {
        return [id, status, first_day, last_day, metric, tool ?? 'all', title];
      });
      output.result(rows, rows.length === 0 ? '' : tableOf([HEAD, ...lines]));
      if (rows.length === 0) output.note('There are no challenges.');
    });
    return EXIT.ok;
  },
});

const cancel = action({
  options: { reason: 'needed' },
  word: 'ID',
  run({ values: { reason }, word: id }, output) {
    withStore((store, { now }) => {
      cancelChallenge(store, { id, reason, now });
      output.result({ id, reason });
      output.note(`The challenge ${id} is cancelled, and says why.`);
    });
    return EXIT.ok;
  },
});

export const challenge: Command = {
  help: `opbench-board challenge create --title T --description D --metric METRIC
--from DAY --to DAY [--tool TOOL] [--id ID] [--min-active-days N]
[--min-effective-days N] [--min-total-tokens N] [--min-output-tokens N]
[--min-coverage SHARE] [--json]: a ranking by one metric over some days, of one
tool or all. Prints its id, made from the title unless --id gives one. What is
asked of who takes part is what the board asks, unless --min-... says otherwise.
opbench-board challenge list [--json]: all challenges and their states.
opbench-board challenge cancel ID --reason REASON [--json]: it stays listed, with
the reason.

Example: opbench-board challenge create --title "Spring sprint" \\
  --description "Who lets the cache carry most?" --metric leverage \\
  --from 2027-03-01 --to 2027-03-14

--json prints {"id"} of create, all that is known of each as [{"id", "status",
...}] of list, and {"id", "reason"} of cancel.
`,
  actions: { create, list, cancel },
};
