import { describe, expect, test } from 'vitest';
import { endOtherSessions, endSession, readSessions } from '#server/identity/sessions.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Signs in a browser; returns its caller and its cookie. */
async function aBrowser(ctx: TestContext, operator_id: number) {
  ctx.clock.nowMs += 1;
  const cookie = await ctx.sessions.start(operator_id, { method: 'github', userAgent: 'curl/8' });
  const { session_id = '' } = (await ctx.sessions.read(cookie)) ?? {};
  return { caller: { operator_id, device_id: null, session_id }, cookie };
}

async function twoBrowsers(ctx = testContext()) {
  const { id } = anOperator(ctx, 'ada');
  return { ctx, one: await aBrowser(ctx, id), two: await aBrowser(ctx, id) };
}

describe('readSessions()', () => {
  test('lists the browsers of the caller, and marks the current one', async () => {
    const { ctx, one } = await twoBrowsers();
    await aBrowser(ctx, anOperator(ctx, 'eve').id);

    const { sessions } = readSessions(ctx, one.caller);

    expect(sessions).toMatchObject([
      { current: false, method: 'github', label: 'A program' },
      { current: true, id: one.caller.session_id },
    ]);
    expect(JSON.stringify(sessions)).not.toMatch(/[0-9a-f]{64}/);
  });

  test('omits sessions that have ended', async () => {
    const { ctx, one } = await twoBrowsers();
    ctx.clock.nowMs += 91 * DAY_MS;

    expect(readSessions(ctx, one.caller)).toEqual({ sessions: [] });
  });
});

describe('endSession()', () => {
  test('signs one browser out and no other', async () => {
    const { ctx, one, two } = await twoBrowsers();

    expect(endSession(ctx, one.caller, two.caller.session_id)).toMatchObject({ current: false });

    expect(await ctx.sessions.read(two.cookie)).toBeNull();
    expect(await ctx.sessions.read(one.cookie)).not.toBeNull();
  });

  test("throws not_found for another operator's", async () => {
    const { ctx, one } = await twoBrowsers();
    const eve = await aBrowser(ctx, anOperator(ctx, 'eve').id);

    expect(() => endSession(ctx, eve.caller, one.caller.session_id)).toThrow(refusal('not_found'));
    expect(await ctx.sessions.read(one.cookie)).not.toBeNull();
  });
});

test('endOtherSessions() keeps only the current browser', async () => {
  const { ctx, one, two } = await twoBrowsers();
  const eve = await aBrowser(ctx, anOperator(ctx, 'eve').id);

  expect(endOtherSessions(ctx, two.caller)).toMatchObject([{ id: one.caller.session_id }]);

  const read = ({ cookie }: { cookie: string }) => ctx.sessions.read(cookie);
  expect(await read(one)).toBeNull();
  expect(await Promise.all([two, eve].map(read))).not.toContain(null);
});
