import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { HistoryQuery, RecordsQuery } from '#core/contract/operators.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { readImprovements, readyImprovements } from '#server/board/improvements.ts';
import { readMe, readyMe } from '#server/board/me.ts';
import { readOperatorHistory, readyOperatorHistory } from '#server/board/operator-history.ts';
import { readOperatorRecords, readyOperatorRecords } from '#server/board/operator-records.ts';
import { readYourRank, readyYourRank } from '#server/board/your-rank.ts';
import { readSubmissions, readySubmissions } from '#server/submission/submissions.ts';
import { countingTotal } from '#server/publication/read/recent-days.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

/** More than two parts. */
const BUCKETS = 9_000;
const DAYS = 60;

let ctx: TestContext;
let caller: { operator_id: number; device_id: null };

/** Buckets that differ in every dimension of the sums. */
function aBucketOf(at: number) {
  const day = at % DAYS;
  const pair = Math.floor(at / DAYS);
  return aBucket({
    day: dayName(dayNumber('2026-01-01') + day),
    tool: pair % 7 === 0 ? 'other' : 'claude-code',
    provider: `provider-${pair % 20}`,
    model: `model-${Math.floor(pair / 20)}`,
    input: 1_000 + (day % 3) * 4_000,
    output: 9_000 + at,
    cache_read: at % 11 === 0 ? null : 50_000 - day * 90,
  });
}

async function aLarge(): Promise<void> {
  const device = await anEnrolledDevice(ctx, 'ada');
  const buckets = Array.from({ length: BUCKETS }, (_, at) => aBucketOf(at));
  await submit(ctx, device, buckets.slice(0, BUCKETS / 2));
  await submit(ctx, device, buckets.slice(BUCKETS / 2));
  caller = { operator_id: ctx.store.operators.byCodename('ada')?.id ?? 0, device_id: null };
}

/** The account's public numbers, and its owner's numbers while it is private. */
const PUBLIC = {
  history: () => readOperatorHistory(ctx, 'ada', HistoryQuery.parse({ window: '90d' })),
  records: () => readOperatorRecords(ctx, 'ada', RecordsQuery.parse({})),
  submissions: () => readSubmissions(ctx, SubmissionsQuery.parse({})),
  improvements: () => readImprovements(ctx, caller, { limit: 20 }),
};
const OWN = {
  me: () => readMe(ctx, caller).standings,
  tools: () => readMe(ctx, caller).tools,
  place: () => readYourRank(ctx, caller.operator_id, LeaderboardQuery.parse({})),
};

function readAll(reads: Record<string, () => unknown>) {
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read()]));
}

beforeEach(async () => {
  ctx = testContext();
  await aLarge();
});

/** Clears all cached sums. */
function forget(): void {
  const { id = 0, log_index = 0 } = ctx.store.operators.byCodename('ada') ?? {};
  ctx.store.operators.touch(id, log_index + 1);
}

describe('a large account', () => {
  test('has the same sums when it is added up in parts', async () => {
    publish(ctx);
    const expected = readAll(PUBLIC);
    forget();
    const { records, usage } = ctx.store;
    const spies = [
      ...(['signedUsage', 'countIn', 'perSubmission'] as const).map((name) =>
        vi.spyOn(records, name),
      ),
      vi.spyOn(usage, 'signed'),
    ];
    const reads = () => spies.map(({ mock }) => mock.calls.length);

    await readyOperatorHistory(ctx, 'ada', { window: '90d' });
    await readyOperatorRecords(ctx, 'ada');
    await readySubmissions(ctx, SubmissionsQuery.parse({}));
    await readyImprovements(ctx, caller);

    const before = reads();
    expect(Math.min(...before)).toBeGreaterThan(1);
    expect(readAll(PUBLIC)).toEqual(expected);
    expect(reads()).toEqual(before);
  });

  test('has the same standings for its owner while it is private', async () => {
    ctx.store.transaction(() => {
      changeVisibility(ctx, caller.operator_id, { privacy_mode: 'private' });
    });
    publish(ctx);
    const expected = readAll(OWN);
    forget();
    const spies = (['signedByTool', 'usage'] as const).map((name) =>
      vi.spyOn(ctx.store.records, name),
    );
    const reads = () => spies.map(({ mock }) => mock.calls.length);

    await readyMe(ctx, caller);
    await readyYourRank(ctx, caller.operator_id, LeaderboardQuery.parse({}));

    const before = reads();
    expect(Math.min(...before)).toBeGreaterThan(1);
    expect(readAll(OWN)).toEqual(expected);
    expect(reads()).toEqual(before);
  });
});

test('a sum is not cached if the account changed while it was computed', async () => {
  const { store } = ctx;
  const operator = store.operators.byCodename('ada') ?? { id: 0, log_index: 0 };
  const count = vi.spyOn(store.records, 'countIn');
  const total = countingTotal(ctx, operator);

  const counted = total.ready();
  store.operators.touch(operator.id, operator.log_index + 1);
  await counted;
  const { length } = count.mock.calls;

  expect(total.read()).toBe(BUCKETS);
  expect(count.mock.calls).toHaveLength(2 * length);
});
