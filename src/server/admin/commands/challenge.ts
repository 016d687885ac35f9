import { createChallenge } from '#server/challenge/create-challenge.ts';
import { challengeOf } from '#server/challenge/challenges.ts';
import { repeatOf } from '#server/challenge/repeat-challenges.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';
import { cancelAction, editAction, stopAction } from './challenge-changes.ts';
import { askedIn, authorOf, inOptions, number, oneRule } from './challenge-options.ts';

const HEAD = ['ID', 'STATUS', 'FROM', 'TO', 'METRIC', 'TOOL', 'REPEATS', 'TITLE'];

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
  --repeat weekly|monthly create the next one when one has ended
  --min-active-days N     requirements for a rank; default: the board's ranking
  --min-effective-days N  rules for a period of that length
  --min-total-tokens N
  --min-output-tokens N
  --min-coverage SHARE    from 0 to 1
  --min-stated-days SHARE from 0 to 1; 0 requires none
  --json                  print JSON

Only signed submissions count. Operators take part automatically. Uploads count
until 48 hours after the last day; the next update makes the standings final.
If it repeats, the running server creates the next challenge when the last day is
over. A monthly challenge that ends with a month always does.

Example: opbench-board challenge create --title "Spring sprint" \\
  --description "Who gets the most out of the cache?" --metric leverage \\
  --from 2027-03-01 --to 2027-03-14
`,
  json: `opbench-board challenge create --json prints one object:

  id  the ID of the challenge
`,
  options: {
    id: 'text',
    repeat: oneRule,
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
    'min-stated-days': number,
  },
  run({ values }, output, settings) {
    const { id = null, title, description, metric, from, to, tool = null } = values;
    const { repeat = null } = values;
    const eligibility = askedIn(values);
    const days = { first_day: from, last_day: to };
    const request = { id, title, description, metric, tool, ...days, eligibility, repeat };
    withStore(settings, (store, board) => {
      const author = authorOf(store, board);
      const made = inOptions(request.id === null, () => createChallenge(store, request, author));
      output.result({ id: made }, made);
      output.note(`The challenge counts signed submissions for ${from} to ${to}, in UTC days.`);
    });
    return EXIT.ok;
  },
});

const list = action({
  help: `opbench-board challenge list: list all challenges with their status

Usage: opbench-board challenge list [--json]

  --json  print JSON, with every field of each challenge

Example: opbench-board challenge list
`,
  json: `opbench-board challenge list --json prints an array with one object for each
challenge: "id", "status", "first_day", "last_day", "metric", "tool" (null for all
tools), "title", "repeat" (weekly, monthly or null) and the other fields that
GET /api/v1/challenges returns.
`,
  run(_, output, settings) {
    withStore(settings, (store, { now }) => {
      const rows = store.challenges.all().map((row) => {
        return { ...challengeOf(row, now), repeat: repeatOf(store, row) };
      });
      const lines = rows.map(({ id, status, first_day, last_day, metric, tool, repeat, title }) => {
        return [id, status, first_day, last_day, metric, tool ?? 'all', repeat ?? '', title];
      });
      output.result(rows, rows.length === 0 ? '' : tableOf([HEAD, ...lines]));
      if (rows.length === 0)
        output.note('There are no challenges. Create one with: opbench-board challenge create');
    });
    return EXIT.ok;
  },
});

export const challenge: Command = {
  help: `opbench-board challenge: announce, change, list or cancel challenges

A challenge ranks operators by one metric over a range of days.

Usage: opbench-board challenge create --title TEXT --description TEXT
         --metric METRIC --from DAY --to DAY [OPTIONS]
       opbench-board challenge edit ID [OPTIONS]
       opbench-board challenge list [--json]
       opbench-board challenge cancel ID --reason TEXT [--json]
       opbench-board challenge stop ID [--json]

  create  announce a challenge and print its ID
  edit    change a challenge that has not started
  list    list all challenges with their status
  cancel  cancel a challenge; it stays listed with the reason
  stop    stop a challenge from repeating

"opbench-board challenge create --help" lists the options.

Example: opbench-board challenge list
`,
  json: `"opbench-board challenge create --json" prints {"id"}, the ID of the challenge.
"edit" and "stop" print the same.
"opbench-board challenge list --json" prints an array with one object for each
challenge. "opbench-board challenge cancel --json" prints {"id", "reason"}.

"opbench-board challenge list --help --json" describes the objects.
`,
  actions: { create, edit: editAction, list, cancel: cancelAction, stop: stopAction },
};
