import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { databasePath } from '#server/context.ts';
import { DAY_MS, NOW_MS } from '#tests/support/builders.ts';
import { type TestContext, anOperator, query, testContext } from '#tests/support/context.ts';

/** The library reads the clock itself. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS }));
afterEach(() => void vi.useRealTimers());

function moveTo(ctx: TestContext, nowMs: number): void {
  ctx.clock.nowMs = nowMs;
  vi.setSystemTime(nowMs);
}

async function aSession(ctx = testContext()) {
  const operator = anOperator(ctx, 'ada');
  const setCookie = await ctx.sessions.start(operator.id);
  return { ctx, operator, setCookie, cookie: setCookie.split(';')[0] ?? '' };
}

const rows = (ctx: TestContext) => query<Record<string, string>>(ctx, 'SELECT * FROM sessions');

describe('start()', () => {
  test('sets a cookie that scripts and other sites do not see', async () => {
    const { setCookie } = await aSession();

    expect(setCookie).toMatch(
      /^session=[a-z2-7]{40}; HttpOnly; Max-Age=\d+; Path=\/; SameSite=Lax$/,
    );
  });

  test('binds the cookie to its host on https', async () => {
    const { setCookie } = await aSession(testContext({ baseUrl: 'https://bench.example' }));

    expect(setCookie).toMatch(/^__Host-session=.*; Secure/);
    expect(setCookie).not.toContain('Domain');
  });

  test('keeps the id nowhere in the files of the database', async () => {
    const { ctx, cookie } = await aSession();
    const path = databasePath(ctx.config);
    const files = [path, `${path}-wal`].filter((file) => existsSync(file));
    const id = cookie.slice('session='.length);

    expect(files).toHaveLength(2);
    expect(files.map((file) => readFileSync(file).includes(id))).toEqual([false, false]);
    expect(rows(ctx)[0]?.['id_hash']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('gives every sign-in a session of its own', async () => {
    const { ctx, operator, cookie } = await aSession();
    const second = await ctx.sessions.start(operator.id);

    expect(second.startsWith(cookie)).toBe(false);
    expect(rows(ctx)).toHaveLength(2);
  });

  test('forgets sessions that have expired', async () => {
    const { ctx, operator } = await aSession();
    moveTo(ctx, NOW_MS + 31 * DAY_MS);
    await ctx.sessions.start(operator.id);

    expect(rows(ctx)).toHaveLength(1);
  });
});

describe('read()', () => {
  test('tells whose session it is, among other cookies', async () => {
    const { ctx, operator, cookie } = await aSession();

    expect(await ctx.sessions.read(`a=b; ${cookie}; c=d`)).toEqual({ operator_id: operator.id });
  });

  test.each([null, '', 'session=', 'session=unknown', 'other=x', 'session'])(
    'is null for the cookies %j',
    async (cookies) => {
      const { ctx } = await aSession();

      expect(await ctx.sessions.read(cookies)).toBeNull();
    },
  );

  test('does not take the hash for the id', async () => {
    const { ctx } = await aSession();

    expect(await ctx.sessions.read(`session=${rows(ctx)[0]?.['id_hash']}`)).toBeNull();
  });

  test('ends after 30 days without a visit', async () => {
    const { ctx, cookie } = await aSession();

    moveTo(ctx, NOW_MS + 30 * DAY_MS + 1);

    expect(await ctx.sessions.read(cookie)).toBeNull();
    expect(rows(ctx)).toEqual([]);
  });

  test('renews itself by a visit in the second half of its life', async () => {
    const { ctx, cookie } = await aSession();

    moveTo(ctx, NOW_MS + 14 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).toEqual({ operator_id: 1 });
    moveTo(ctx, NOW_MS + 29 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).toMatchObject({
      setCookie: expect.stringContaining(cookie) as string,
    });
    moveTo(ctx, NOW_MS + 58 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).toMatchObject({ operator_id: 1 });
  });

  test('ends after 90 days however often it was used', async () => {
    const { ctx, cookie } = await aSession();
    const visit = async (day: number) => {
      moveTo(ctx, NOW_MS + day * DAY_MS);
      return (await ctx.sessions.read(cookie)) !== null;
    };

    expect([await visit(25), await visit(50), await visit(75), await visit(90)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    moveTo(ctx, NOW_MS + 90 * DAY_MS + 1);
    expect(await ctx.sessions.read(cookie)).toBeNull();
  });
});

describe('end()', () => {
  test('ends the session of the cookie and clears the cookie', async () => {
    const { ctx, operator, cookie } = await aSession();
    const other = (await ctx.sessions.start(operator.id)).split(';')[0] ?? '';

    expect(await ctx.sessions.end(cookie)).toMatch(/^session=; .*Max-Age=0/);

    expect(await ctx.sessions.read(cookie)).toBeNull();
    expect(await ctx.sessions.read(other)).toEqual({ operator_id: operator.id });
  });

  test.each([null, '', 'session=unknown'])('clears the cookie for %j too', async (cookies) => {
    expect(await testContext().sessions.end(cookies)).toMatch(/Max-Age=0/);
  });
});
