/** Changes challenges that exist. */
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { type ChallengeChanges, editChallenge } from '#server/challenge/edit-challenge.ts';
import { stopRepeating } from '#server/challenge/repeat-challenges.ts';
import { EXIT, action } from '../command.ts';
import { withStore } from '../store.ts';
import { askedIn, authorOf, inOptions, number } from './challenge-options.ts';

export const editAction = action({
  help: `opbench-board challenge edit: change a challenge that has not started

Usage: opbench-board challenge edit ID [OPTIONS]

  ID                      the challenge, as "opbench-board challenge list" shows it
  --title TEXT            the name of the challenge
  --description TEXT      what it is about, in a sentence or two
  --metric METRIC         yield, leverage, velocity, snr or dev10x
  --from DAY, --to DAY    first and last day in UTC, such as 2027-03-01
  --tool TOOL             count only this tool; "all" for all tools
  --min-active-days N     requirements for a rank
  --min-effective-days N
  --min-total-tokens N
  --min-output-tokens N
  --min-coverage SHARE    from 0 to 1
  --min-stated-days SHARE from 0 to 1; 0 requires none
  --json                  print JSON

Options that you leave out change nothing.

Example: opbench-board challenge edit spring-sprint --to 2027-03-21
`,
  json: `opbench-board challenge edit --json prints one object:

  id  the challenge
`,
  options: {
    title: 'text',
    description: 'text',
    metric: 'text',
    from: 'text',
    to: 'text',
    tool: 'text',
    'min-active-days': number,
    'min-effective-days': number,
    'min-total-tokens': number,
    'min-output-tokens': number,
    'min-coverage': number,
    'min-stated-days': number,
  },
  word: 'ID',
  run({ values, word: id }, output, settings) {
    const { title, description, metric, from: first_day, to: last_day, tool } = values;
    const given = Object.entries({ title, description, metric, first_day, last_day });
    const changes: ChallengeChanges = {
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      ...(tool !== undefined && { tool: tool === 'all' ? null : tool }),
      eligibility: askedIn(values),
    };
    withStore(settings, (store, board) => {
      const author = authorOf(store, board);
      inOptions(false, () => editChallenge(store, id, { changes, ...author }));
      output.result({ id });
      output.note(`The challenge ${id} is changed.`);
    });
    return EXIT.ok;
  },
});

export const stopAction = action({
  help: `opbench-board challenge stop: stop a challenge from repeating

Usage: opbench-board challenge stop ID [--json]

  ID      a challenge of the series
  --json  print JSON

Challenges that exist already stay. Cancel them if they should not take place.

Example: opbench-board challenge stop weekly-yield
`,
  json: `opbench-board challenge stop --json prints one object:

  id  the challenge
`,
  word: 'ID',
  run({ word: id }, output, settings) {
    withStore(settings, (store, { now }) => {
      stopRepeating(store, { id, now });
      output.result({ id });
      output.note(`No further challenges are created after ${id}.`);
    });
    return EXIT.ok;
  },
});

export const cancelAction = action({
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
