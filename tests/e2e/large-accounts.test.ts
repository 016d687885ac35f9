/** What the largest account that a board takes costs its readers, and a larger one from before there were bounds. */
import { expect, test } from 'vitest';
import type { OperatorDetail } from '#core/contract/operators.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type TestContext, anEnrolledDevice, submit } from '../support/board/context.ts';
import { addLargest, addOversized } from '../support/board/large-account.ts';
import { aPresentBoard, unevenDays } from '../support/board/people.ts';
import { startServer } from '../support/http/server.ts';
import { WATCHED, signInAs, tooCostly, walk } from '../support/http/walk.ts';

/** 2 MB, and far less of the main thread at once than before: how long a turn is exactly, a benchmark tells. */
const MOST = { bytes: 2_000_000, busyMs: 150 };

async function aSmall(ctx: TestContext, codename: string, over: Partial<Bucket> = {}) {
  const { answer } = await submit(ctx, await anEnrolledDevice(ctx, codename), unevenDays(1, over));
  return { codename, submission: answer.id };
}

function serve({ config: { dataDir } }: TestContext) {
  return startServer({ dataDir, env: { REFRESH_SECONDS: '3600', NODE_OPTIONS: WATCHED } });
}

test(
  'every answer about the largest account stays small and leaves the board to others',
  { timeout: 180_000 },
  async () => {
    const ctx = aPresentBoard();
    const large = await addLargest(ctx, 'op-identified', { submissions: 4, devices: 220 });
    const small = await aSmall(ctx, 'small');
    const server = await serve(ctx);
    // A process that has just started compiles what it runs for the first time.
    await walk(server, small, await signInAs(server, 'small'));

    const costs = await walk(server, large, await signInAs(server, large.codename));

    expect(tooCostly(costs, MOST)).toEqual([]);
    expect(costs.length).toBeGreaterThan(100);
  },
);

test(
  'an account of thousands of providers is shown like any other, in every form',
  { timeout: 180_000 },
  async () => {
    const ctx = aPresentBoard();
    const large = await addOversized(ctx, 'op-identified', { submissions: 5, providers: 3_000 });
    const small = await aSmall(ctx, 'small');
    const server = await serve(ctx);
    await walk(server, small);

    const costs = await walk(server, large);

    expect(tooCostly(costs, { ...MOST, bytes: 600_000 })).toEqual([]);
    const answer = await fetch(`${server.url}/api/v1/operators/${large.codename}?window=30d`);
    const { standing } = (await answer.json()) as OperatorDetail;
    const shown = standing?.models?.map(({ totals }) => totals.total) ?? [];
    const sum = shown.reduce((a, b) => a + b, standing?.other_models?.totals.total ?? 0);
    expect([shown.length, sum]).toEqual([50, standing?.totals?.total]);
    const page = await fetch(`${server.url}/operators/${large.codename}.md`);
    expect(await page.text()).toContain('All other models');
  },
);
