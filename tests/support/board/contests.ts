/** Records and challenges that include every operator of a board. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Store, openStore } from '#db/store.ts';
import { eligibilityFor } from '#core/domain/board/challenge.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { MIGRATIONS } from './context.ts';
import { daysAgo } from '../agent/installation.ts';
import type { Members } from '../http/modes.ts';
import type { RunningServer } from '../http/server.ts';

/** Adds records of each operator, a running challenge, and one with final standings. */
export function addContests({ dataDir }: RunningServer, members: Members): void {
  const path = join(dataDir, 'opbench.sqlite');
  // Set in the order in which the operators joined.
  const db = new Database(path);
  db.exec('DELETE FROM signal_records');
  db.close();
  const store = storeOf(dataDir);
  const operators = Object.values(members).map(({ codename, submission }) => ({
    operator_id: store.operators.byCodename(codename)?.id ?? 0,
    log_index: store.submissions.byId(submission)?.log_index ?? 0,
  }));
  addRecords(store, operators);
  addChallenge(store, 'running', daysAgo(0));
  const over = addChallenge(store, 'over', daysAgo(3));
  const standing = { value: 1, low: 1, high: null, total: 1, active_days: 1 };
  const places = operators.map(({ operator_id }, index) => {
    return { place: index + 1, rank: 1, best: 1, worst: 5, operator_id, ...standing };
  });
  store.challenges.addPlaces(over, places);
  const frozen_log_index = store.log.head()?.index ?? 0;
  const freezing = { seq: over, frozen_at: new Date().toISOString(), frozen_log_index };
  store.challenges.freeze({ ...freezing, left_out: '[]', unranked: 0 });
  store.close();
}

function addRecords(store: Store, operators: { operator_id: number; log_index: number }[]): void {
  const days = { first_day: daysAgo(29), last_day: daysAgo(0) };
  const achieved_at = new Date().toISOString();
  const set = { metric: 'leverage', rules: 1, high: null, ...days, achieved_at } as const;
  const rows = operators.map((one, index) => {
    return { ...one, ...set, value: index + 1, low: index + 1 };
  });
  store.signalRecords.add(rows);
}

/** Adds a challenge that began ten days ago. Returns its number. */
function addChallenge(store: Store, id: string, last_day: string): number {
  announce(store, id, { first_day: daysAgo(10), last_day });
  return store.challenges.byId(id)?.seq ?? 0;
}

/** Creates a challenge by yield on a running board. */
export function announceOn(
  { dataDir }: Pick<RunningServer, 'dataDir'>,
  id: string,
  days: Days,
  description?: string,
): void {
  const store = storeOf(dataDir);
  announce(store, id, days, description);
  store.close();
}

interface Days {
  first_day: string;
  last_day: string;
}

function announce(store: Store, id: string, days: Days, description = id): void {
  store.challenges.add({
    series: null,
    id,
    title: `Title ${id}`,
    description,
    metric: 'yield',
    tool: null,
    ...days,
    eligibility: eligibilityFor(RULESET, days),
    ruleset: RULESET.id,
    created_at: new Date().toISOString(),
  });
}

function storeOf(dataDir: string): Store {
  const path = join(dataDir, 'opbench.sqlite');
  return openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
}
