import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { createSessions } from '#server/identity/sessions.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { DAY_MS, MINUTE_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, query, testContext } from '#tests/support/board/context.ts';

/** The library reads the system clock. */
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
  test('sets a cookie that scripts and other sites cannot read', async () => {
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

  test('does not store the ID in the database files', async () => {
    const { ctx, cookie } = await aSession();
    const path = databasePath(ctx.config);
    const files = [path, `${path}-wal`].filter((file) => existsSync(file));
    const id = cookie.slice('session='.length);

    expect(files).toHaveLength(2);
    expect(files.map((file) => readFileSync(file).includes(id))).toEqual([false, false]);
    expect(rows(ctx)[0]?.['id_hash']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('gives every sign-in its own session', async () => {
    const { ctx, operator, cookie } = await aSession();
    const second = await ctx.sessions.start(operator.id);

    expect(second.startsWith(cookie)).toBe(false);
    expect(rows(ctx)).toHaveLength(2);
  });

  test('stores only the type of the browser', async () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await ctx.sessions.start(id, { method: 'github', userAgent });

    expect(rows(ctx)).toMatchObject([{ method: 'github', label: 'Firefox on Linux' }]);
    expect(JSON.stringify(rows(ctx))).not.toContain('140.0');
  });

  test('ends the oldest of more than 100 sessions', async () => {
    const { ctx, operator, cookie } = await aSession();
    for (let count = 1; count <= 100; count += 1) {
      moveTo(ctx, NOW_MS + count);
      await ctx.sessions.start(operator.id);
    }

    expect(rows(ctx)).toHaveLength(100);
    expect(await ctx.sessions.read(cookie)).toBeNull();
  });
});

describe('read()', () => {
  test('finds the session among other cookies', async () => {
    const { ctx, operator, cookie } = await aSession();

    const session = await ctx.sessions.read(`a=b; ${cookie}; c=d`);
    expect(session).toEqual({
      signed_in_at: new Date(NOW_MS).toISOString(),
      operator_id: operator.id,
      session_id: rows(ctx)[0]?.['public_id'],
    });
  });

  test.each([null, '', 'session=', 'session=unknown', 'other=x', 'session'])(
    'is null for the cookies %j',
    async (cookies) => {
      const { ctx } = await aSession();

      expect(await ctx.sessions.read(cookies)).toBeNull();
    },
  );

  test('rejects two session cookies, because another site may have set one', async () => {
    const { ctx, cookie } = await aSession();

    expect(await ctx.sessions.read(`session=planted; ${cookie}`)).toBeNull();
    expect(await ctx.sessions.read(`${cookie}; session=planted`)).toBeNull();
  });

  test('does not accept the hash as the ID', async () => {
    const { ctx } = await aSession();

    expect(await ctx.sessions.read(`session=${rows(ctx)[0]?.['id_hash']}`)).toBeNull();
  });

  test('ends after 30 days without a visit', async () => {
    const { ctx, cookie } = await aSession();

    moveTo(ctx, NOW_MS + 30 * DAY_MS + 1);

    expect(await ctx.sessions.read(cookie)).toBeNull();
    expect(rows(ctx)).toEqual([]);
  });

  test('is renewed by a visit in the second half of its lifetime', async () => {
    const { ctx, cookie } = await aSession();

    moveTo(ctx, NOW_MS + 14 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).not.toHaveProperty('setCookie');
    moveTo(ctx, NOW_MS + 29 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).toMatchObject({
      setCookie: expect.stringContaining(cookie) as string,
    });
    moveTo(ctx, NOW_MS + 58 * DAY_MS);
    expect(await ctx.sessions.read(cookie)).toMatchObject({ operator_id: 1 });
  });

  test.each([
    ['a disk that is full', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), true],
    ['a fault of the program', new TypeError('x is not a function'), false],
  ])('that cannot be renewed for %s', async (_, error, isServed) => {
    const { ctx, cookie } = await aSession();
    const renew = () => {
      throw error;
    };
    const store = { ...ctx.store, sessions: { ...ctx.store.sessions, renew } };
    const isFault = (thrown: unknown) => storageFaultOf(thrown) !== null;
    const sessions = createSessions(store, false, ctx.now, isFault);
    moveTo(ctx, NOW_MS + 29 * DAY_MS);

    const read = sessions.read(cookie);

    if (isServed) expect(await read).toMatchObject({ operator_id: 1 });
    else await expect(read).rejects.toThrow(error);
  });

  test('records visits once an hour', async () => {
    const { ctx, cookie } = await aSession();
    const seenAfter = async (minutes: number) => {
      moveTo(ctx, NOW_MS + minutes * MINUTE_MS);
      await ctx.sessions.read(cookie);
      return Date.parse(rows(ctx)[0]?.['last_seen_at'] ?? '') - NOW_MS;
    };

    expect([await seenAfter(59), await seenAfter(60), await seenAfter(119)]).toEqual([
      0,
      60 * MINUTE_MS,
      60 * MINUTE_MS,
    ]);
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
    expect(await ctx.sessions.read(other)).toMatchObject({ operator_id: operator.id });
  });

  test.each([null, '', 'session=unknown'])('clears the cookie for %j too', async (cookies) => {
    expect(await testContext().sessions.end(cookies)).toMatch(/Max-Age=0/);
  });
});
