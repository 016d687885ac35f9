/** The largest accounts in a process with a heap of 512 MB. The event loop is never blocked for long. */
import { expect, test } from 'vitest';
import type { OperatorDetail } from '#core/contract/operators.ts';
import { memoryOf } from '../../scripts/bench/process-stats.mjs';
import { addLargest, addOversized } from '../support/board/large-account.ts';
import { aPresentBoard } from '../support/board/people.ts';
import { type RunningServer, startServer } from '../support/http/server.ts';
import { type Cost, WATCHED, type Walked, tooCostly, walk } from '../support/http/walk.ts';

const HEAP_MB = 512;
const MOST = { bytes: 2_000_000, busyMs: 75 };
/** A page with a row for each of 200 devices, and responses whose chunks are envelopes of 3.4 MB. */
const LONGER = {
  what: /^\/settings$|^\/api\/v1\/account\/export$|\/envelope$/,
  busyMs: 150,
};
/** The heap, the memory outside of it, and the threads. */
const MOST_MB = 1_200;

test('a small host serves the largest accounts', async () => {
  const ctx = aPresentBoard();
  const first = await addLargest(ctx, 'op-identified', { submissions: 10, devices: 600 });
  const second = await addLargest(ctx, 'op-second', { submissions: 4, devices: 1 });
  const oversized = await addOversized(ctx, 'op-oversized', { submissions: 19, providers: 5_000 });
  const { dataDir } = ctx.config;
  const options = `${WATCHED} --max-old-space-size=${HEAP_MB}`;
  const env = { REFRESH_SECONDS: '3600', NODE_OPTIONS: options };
  const server = await startServer({ dataDir, env });
  await walk(server, second, await server.signIn(second.codename));

  const costs = await walk(server, first, await server.signIn(first.codename));
  const ofOversized = await walk(server, oversized);

  const { peakMb } = memoryOf(server.pid);
  const isLonger = ({ what }: Cost) => LONGER.what.test(what);
  const all = [...costs, ...ofOversized];
  const tooLong = [
    ...tooCostly(all.filter(isLonger), { ...MOST, busyMs: LONGER.busyMs }),
    ...tooCostly(
      all.filter((cost) => !isLonger(cost)),
      MOST,
    ),
  ];
  expect(tooLong).toEqual([]);
  expect(peakMb ?? 0).toBeLessThan(MOST_MB);
  await expectShown(server, oversized);
});

/** Of thousands of models, the largest are shown, and the others in one row. */
async function expectShown({ url }: RunningServer, { codename }: Walked): Promise<void> {
  const answer = await fetch(`${url}/api/v1/operators/${codename}?window=30d`);
  const { standing } = (await answer.json()) as OperatorDetail;
  const shown = standing?.models?.map(({ totals }) => totals.total) ?? [];
  const sum = shown.reduce((a, b) => a + b, standing?.other_models?.totals.total ?? 0);
  expect([shown.length, sum]).toEqual([50, standing?.totals?.total]);
  const page = await fetch(`${url}/operators/${codename}.md`);
  expect(await page.text()).toContain('All other models');
}
