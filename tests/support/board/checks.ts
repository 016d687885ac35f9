/** Accounts for the plausibility checks, and the findings. */
import type { Bucket } from '#core/schema/usage.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { MINUTE_MS, type TestDevice, bucketsOfDays } from './builders.ts';
import { type TestContext, query, submit } from './context.ts';

const FIRST = '2026-02-01';
const LONG_MS = 60_000;
/** A day far outside the range of the others. */
export const GIANT = {
  day: '2026-03-01',
  input: 5e6,
  output: 1e6,
  cache_write: 9e8,
  cache_read: 9e10,
};

/** Runs the checks as the projection thread does. Returns the errors. */
export function check(ctx: TestContext, checks = new Checks(ctx.store)): string[] {
  const { isDone, failures } = checks.run(ctx.now(), LONG_MS);
  return isDone ? failures : ['not done'];
}

/** Submits a minute after the last submission. Returns the response. */
export async function send(ctx: TestContext, device: TestDevice, buckets: readonly Bucket[]) {
  ctx.clock.nowMs += MINUTE_MS;
  const { answer } = await submit(ctx, device, buckets);
  return answer;
}

/** Days with distinct numbers. */
export function daysOf(seed: number, days: number): Bucket[] {
  return bucketsOfDays(days, FIRST).map((bucket, index) => {
    const factor = 1 + ((seed * 7 + index * 13) % 29) / 10;
    return { ...bucket, output: Math.round(bucket.output * factor) + 3, input: 1_000 + 97 * seed };
  });
}

/** A submission's state. */
export const stateOf = (ctx: TestContext, { id }: { id: string }) =>
  ctx.store.submissions.byId(id)?.state;

/** All findings. */
export const found = (ctx: TestContext) =>
  query<{ text: string }>(
    ctx,
    `SELECT check_id || ' ' || verdict || ' ' || submission || ' ' || days AS text
     FROM submission_checks ORDER BY text`,
  ).map(({ text }) => text);

/** The counted buckets. */
export const counted = (ctx: TestContext) =>
  query<{ text: string }>(
    ctx,
    `SELECT day || ' ' || output AS text FROM buckets WHERE counts = 1 ORDER BY text`,
  ).map(({ text }) => text);
