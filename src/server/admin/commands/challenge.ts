import { UsageError } from '#core/cli/arguments.ts';
import { DomainError, type Fault, refusalAmong } from '#core/domain/text/errors.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { type ChallengeRequest, createChallenge } from '#server/challenge/create-challenge.ts';
import { challengeOf } from '#server/challenge/challenges.ts';
import { readRulesets } from '#server/board/rulesets.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

/** The options that change what an operator needs to be ranked. */
const ASKED = {
  'min-active-days': 'active_days',
  'min-effective-days': 'effective_days',
  'min-total-tokens': 'total_tokens',
  'min-output-tokens': 'output_tokens',
  'min-coverage': 'coverage',
} as const satisfies Record<string, keyof ChallengeEligibility>;

/** The option for each field of a challenge whose name differs. */
const OPTION_OF: Readonly<Record<string, string>> = {
  first_day: 'from',
  last_day: 'to',
  ...Object.fromEntries(
    Object.entries(ASKED).map(([name, asked]) => [`eligibility/${asked}`, name]),
  ),
};
const NO_ID =
  'cannot be turned into an ID of 3 to 60 letters a to z, digits and hyphens. Use a longer title, or set --id';

const HEAD = ['ID', 'STATUS', 'FROM', 'TO', 'METRIC', 'TOOL', 'TITLE'];

/** Prints only the ID of the new challenge on stdout. */
const create = action({
  help: `opbench-board challenge create: announce a challenge

Usage: opbench-board challenge create --title TEXT --description TEXT
         --metric METRIC --from DAY --to DAY [OPTIONS]

  --title TEXT            the name of the challenge
  --description TEXT      what it is about, in a sentence or two
  --metric METRIC         yield, leverage, velocity, snr or dev10x
  --from DAY, --to DAY    first and last day in UTC, such as 2027-03-01
  --tool TOOL             count only this tool; default: all tools
  --id ID                 the ID, which is part of the URL; default: made from
                          the title
  --min-active-days N     requirements for a rank; default: the board's ranking
  --min-effective-days N  rules for a period of that length
  --min-total-tokens N
  --min-output-tokens N
  --min-coverage SHARE    from 0 to 1
  --json                  print JSON

Only signed submissions count. Operators take part automatically. Uploads count
until 48 hours after the last day; the next update makes the standings final.

Example: opbench-board challenge create --title "Spring sprint" \\
  --description "Who gets the most out of the cache?" --metric leverage \\
  --from 2027-03-01 --to 2027-03-14
`,
  json: `opbench-board challenge create --json prints one object:

  id  the ID of the challenge
`,
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
  run({ values }, output, settings) {
    const { id = null, title, description, metric, from, to, tool = null } = values;
    const asked = (Object.keys(ASKED) as (keyof typeof ASKED)[]).flatMap((option) => {
      const value = values[option];
      return value === undefined ? [] : [[ASKED[option], value]];
    });
    const eligibility = Object.fromEntries(asked) as Partial<ChallengeEligibility>;
    const days = { first_day: from, last_day: to };
    const request = { id, title, description, metric, tool, ...days, eligibility };
    withStore(settings, (store, board) => {
      // The rules that the server entered in the log apply, even if this command has other settings.
      const ruleset = readRulesets({ store }).at(-1)?.ruleset ?? board.ruleset;
      const made = inOptions(request, () => {
        return createChallenge(store, request, { ruleset, now: board.now });
      });
      output.result({ id: made }, made);
      output.note(`The challenge counts signed submissions for ${from} to ${to}, in UTC days.`);
    });
    return EXIT.ok;
  },
});

function number(text: string, option: string): number {
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new UsageError(`--${option} takes a number of at least 0`);
}

/** Runs `work`. If it rejects a field of the challenge, the error names the option instead. */
function inOptions(request: ChallengeRequest, work: () => string): string {
  try {
    return work();
  } catch (error) {
    const { code, message, faults } = refusalAmong(error, 'validation_failed');
    const named = faults.map((fault) => optionFault(fault, request.id === null));
    throw new DomainError(code, message, named);
  }
}

function optionFault({ pointer, code, detail }: Fault, isIdMade: boolean): Fault {
  const place = pointer.slice(2);
  if (place === 'id' && isIdMade) return { pointer: '#/--title', code, detail: NO_ID };
  const words = detail.replaceAll(/first_day|last_day/g, (day) => `--${OPTION_OF[day]}`);
  return { pointer: `#/--${OPTION_OF[place] ?? place}`, code, detail: words };
}

const list = action({
  help: `opbench-board challenge list: list all challenges with their status

Usage: opbench-board challenge list [--json]

  --json  print JSON, with every field of each challenge

Example: opbench-board challenge list
`,
  json: `opbench-board challenge list --json prints an array with one object for each
challenge: "id", "status", "first_day", "last_day", "metric", "tool" (null for all
tools), "title" and the other fields that GET /api/v1/challenges returns.
`,
  run(_, output, settings) {
    withStore(settings, (store, { now }) => {
      const rows = store.challenges.all().map((row) => challengeOf(row, now));
      const lines = rows.map(({ id, status, first_day, last_day, metric, tool, title }) => {
        return [id, status, first_day, last_day, metric, tool ?? 'all', title];
      });
      output.result(rows, rows.length === 0 ? '' : tableOf([HEAD, ...lines]));
      if (rows.length === 0)
        output.note('There are no challenges. Create one with: opbench-board challenge create');
    });
    return EXIT.ok;
  },
});

const cancel = action({
  help: `opbench-board challenge cancel: cancel a challenge

Usage: opbench-board challenge cancel ID --reason TEXT [--json]

  ID             the challenge, as "opbench-board challenge list" shows it
  --reason TEXT  the reason, which everyone can read
  --json         print JSON

The challenge stays listed, with the reason.

Example: opbench-board challenge cancel spring-sprint --reason "The board was down"
`,
  json: `opbench-board challenge cancel --json prints one object:

  id      the challenge
  reason  the reason
`,
  options: { reason: 'needed' },
  word: 'ID',
  run({ values: { reason }, word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      cancelChallenge(store, { id, reason, now });
      output.result({ id, reason });
      output.note(`The challenge ${id} is canceled. Its page shows the reason.`);
    });
    return EXIT.ok;
  },
});

export const challenge: Command = {
  help: `opbench-board challenge: announce, list or cancel challenges

A challenge ranks operators by one metric over a range of days.

Usage: opbench-board challenge create --title TEXT --description TEXT
         --metric METRIC --from DAY --to DAY [OPTIONS]
       opbench-board challenge list [--json]
       opbench-board challenge cancel ID --reason TEXT [--json]

  create  announce a challenge and print its ID
  list    list all challenges with their status
  cancel  cancel a challenge; it stays listed with the reason

"opbench-board challenge create --help" lists the options.

Example: opbench-board challenge list
`,
  json: `"opbench-board challenge create --json" prints {"id"}, the ID of the challenge.
"opbench-board challenge list --json" prints an array with one object for each
challenge. "opbench-board challenge cancel --json" prints {"id", "reason"}.

"opbench-board challenge list --help --json" describes the objects.
`,
  actions: { create, list, cancel },
};
