/** The ledger is the same whether the index says what it has already, or all responses are passed to it each time. */
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanDevice } from '#agent/loop/scan-device.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { age } from '#tests/support/logs/log-index.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LOGS = ['a', 'b', 'c'];

/** Few different values, so that responses share IDs, times and counts. Versions of one response are close in time. */
const lines = fc
  .array(fc.record({ id: fc.nat(5), output: fc.nat(2), at: fc.nat(1) }), { maxLength: 4 })
  .map((all) =>
    all.map(({ id, output, at }) => {
      return aClaudeLine({ id: `msg_${id}`, output, at: (id % 2) * 40 * DAY_MS + at });
    }),
  )
  .map((all) => all.map((line) => `${line}\n`).join(''));
const log = fc.constantFrom(...LOGS);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('append' as const), log, lines }) },
  fc.record({ does: fc.constant('write over' as const), log, lines }),
  fc.record({ does: fc.constant('delete' as const), log }),
  fc.record({ does: fc.constant('rename' as const), log, to: log }),
  fc.record({ does: fc.constant('exclude' as const), log }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Two state folders for the same logs. Only one keeps its index. */
function aWorld() {
  const files = LOGS.map((name) => [`.claude/projects/${name}/x.jsonl`, '']);
  const HOME = aFolder(Object.fromEntries(files) as Record<string, string>);
  const folderOf = (name: string) => join(HOME, '.claude', 'projects', name);
  const pathOf = (name: string) => join(folderOf(name), 'log.jsonl');
  const states = [join(HOME, 'with'), join(HOME, 'without')] as const;
  let excluded = '';
  const deeds = (one: Step) => {
    const path = pathOf(one.log);
    if (one.does === 'append') appendFileSync(path, one.lines);
    if (one.does === 'write over') writeFileSync(path, one.lines);
    if (one.does === 'delete') rmSync(path, { force: true });
    if (one.does === 'rename' && existsSync(path)) renameSync(path, pathOf(one.to));
    if (one.does === 'exclude') excluded = excluded === '' ? folderOf(one.log) : '';
  };
  const ledgerAt = async (state: string) => {
    const environment = { HOME, OPBENCH_HOME: state, OPBENCH_EXCLUDE_FOLDERS: excluded };
    const { ledger, scanned } = await scanDevice({ environment, nowMs: Date.now });
    return { buckets: ledger.buckets(), responses: ledger.responses(), scanned: scanned.buckets };
  };
  return {
    do(one: Step) {
      deeds(one);
      age(join(HOME, '.claude'));
    },
    async ledgers() {
      const [kept, other] = states;
      rmSync(join(other, 'cache'), { recursive: true, force: true });
      return [await ledgerAt(kept), await ledgerAt(other)];
    },
  };
}

test('news alone lead to the same ledger as all responses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const world = aWorld();
      for (const one of steps) {
        world.do(one);
        const [kept, other] = await world.ledgers();
        expect(kept).toEqual(other);
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);
