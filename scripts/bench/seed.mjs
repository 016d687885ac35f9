// A synthetic board, the same on every run but for the day on which it ends.
import { join } from 'node:path';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { openStore } from '#db/store.ts';
import { randomOf } from '../random.mjs';
import { ROOT } from '../runtime.mjs';

const TOOLS = {
  'claude-code': { provider: 'anthropic', model: 'claude-opus-4-5', writesCache: true },
  codex: { provider: 'openai', model: 'gpt-5-codex', writesCache: false },
};
/** The share of days on which an operator uses the second tool as well. */
const SECOND_TOOL = 0.3;
/** The share of operators whose tool does not report cache reads. */
const BLIND = 0.05;
const BATCH = 1000;

/** The board's store in a data folder. */
export function openBoardStore(dataDir) {
  return openStore({
    path: join(dataDir, 'opbench.sqlite'),
    migrations: join(ROOT, 'db', 'migrations'),
    now: () => new Date(),
  });
}

/** Fills a store with operators, each with one device and `days` days of usage up to today. */
export function seedBoard(store, { operators, days }) {
  const seeded = [];
  for (let first = 0; first < operators; first += BATCH) {
    store.transaction(() => {
      for (let index = first; index < Math.min(first + BATCH, operators); index += 1) {
        const operator = addOperator(store, index);
        if (days > 0) stateUsage(store, operator, bucketsOf(index, days));
        seeded.push(operator);
      }
    });
  }
  return seeded;
}

/** What an operator did, by day and tool; `growth` multiplies all counts. */
export function bucketsOf(index, days, growth = 1) {
  const random = randomOf(index + 1);
  const skill = 4 * random() - 2;
  const blind = random() < BLIND;
  const count = (mean) => Math.round(growth * Math.exp(mean + 2 * random() - 1));
  const today = dayNumber(utcDay(Date.now()));
  const buckets = [];
  for (let day = today - days + 1; day <= today; day += 1) {
    for (const [tool, { writesCache, ...source }] of Object.entries(TOOLS)) {
      if (tool === 'codex' && random() >= SECOND_TOOL) continue;
      buckets.push({
        day: dayName(day),
        tool,
        ...source,
        input: count(9.5),
        output: count(10.5 + skill / 2),
        cache_write: writesCache ? count(12.5) : null,
        cache_read: blind ? null : count(14.5 + skill),
      });
    }
  }
  return buckets;
}

/** What the operator with this number is called. */
export function codenameOf(number) {
  return `synthetic-${String(number).padStart(6, '0')}`;
}

/** Lets buckets count for an operator, as an accepted snapshot would. */
export function stateUsage(store, { operator_id, device_id }, buckets, before = []) {
  const payload = { note: 'synthetic' };
  const { log_index } = store.log.append({
    kind: 'snapshot',
    operator_id,
    payload,
    now: new Date(),
  });
  const stated = buckets.map((bucket) => {
    return { ...bucket, device_id, log_index, counts: 1, counted: bucket };
  });
  store.buckets.replaceGroups(operator_id, before, stated);
  store.operators.touch(operator_id, log_index);
}

function addOperator(store, index) {
  const random = randomOf(-index - 1);
  const bytes = () => Uint8Array.from({ length: 10 }, () => 256 * random());
  const created_at = new Date().toISOString();
  const public_id = uuidV7(Date.now(), bytes());
  const codename = codenameOf(index);
  const { id: operator_id } = store.operators.add({ public_id, codename, created_at });
  const device_id = store.devices.add({
    public_id: uuidV7(Date.now(), bytes()),
    operator_id,
    installation_id: uuidV7(Date.now(), bytes()),
    label: 'synthetic',
    created_at,
  });
  return { operator_id, device_id };
}
