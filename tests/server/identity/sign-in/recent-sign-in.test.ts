import { describe, expect, test } from 'vitest';
import { continueSignIn } from '#server/identity/sign-in/continue-sign-in.ts';
import { returnFromProvider, visitProvider } from '#server/identity/sign-in/provider-sign-in.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { ask, questionOf } from '#tests/support/http/provider.ts';
import { CookieJar } from '#tests/support/pages/browser-cookies.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The provider reads the system clock. */
function liveContext(): TestContext {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

const browserOf = (jar: CookieJar) => ({ cookieHeader: jar.header('/'), userAgent: null });

function keep(jar: CookieJar, cookies: readonly string[]): void {
  const headers = new Headers();
  cookies.forEach((cookie) => headers.append('Set-Cookie', cookie));
  jar.keep(headers);
}

/** A browser with a session whose operator signed in some time ago. */
async function aBrowser(ctx: TestContext, ageMs: number) {
  const { id } = anOperator(ctx, 'ada');
  const jar = new CookieJar();
  const signedInAt = new Date(ctx.now().getTime() - ageMs);
  keep(jar, [await ctx.sessions.start(id, { signedInAt })]);
  return { jar, signedInAt };
}

/** Runs the board's own authorization in a browser. Returns null if the person is asked to sign in. */
async function signInWithout(ctx: TestContext, jar: CookieJar, isAgain: boolean) {
  const { location, cookies } = await visitProvider(ctx, '/admin', isAgain);
  keep(jar, cookies);
  let told = await ask(ctx, location, {}, jar);
  for (let steps = 0; steps < 5; steps += 1) {
    const target = told.headers.get('location') ?? '';
    const uid = questionOf(told);
    if (uid !== '') {
      const url = new URL(target, BASE_URL);
      const interaction = { cookieHeader: jar.header(url.pathname), userAgent: null };
      const first = await continueSignIn(ctx, { uid, proof: null }, interaction);
      if (!first) return null;
      const proof = new URL(first.location, BASE_URL).searchParams.get('proof');
      const next = await continueSignIn(ctx, { uid, proof }, interaction);
      told = await ask(ctx, next?.location ?? '', {}, jar);
    } else if (target.includes('/auth/callback')) {
      const done = await returnFromProvider(ctx, new URL(target, BASE_URL), browserOf(jar));
      keep(jar, done.cookies);
      return ctx.sessions.read(jar.header('/'));
    } else told = await ask(ctx, target, {}, jar);
  }
  throw new Error('The sign-in does not end');
}

describe('a session that begins from another session', () => {
  test.each([0, HOUR_MS])('has the time of its sign-in, %i ms ago', async (ageMs) => {
    const ctx = liveContext();
    const { jar, signedInAt } = await aBrowser(ctx, ageMs);
    const before = await ctx.sessions.read(jar.header('/'));

    const session = await signInWithout(ctx, jar, false);

    expect(session?.session_id).not.toBe(before?.session_id);
    const error = Date.parse(session?.signed_in_at ?? '') - signedInAt.getTime();
    expect(Math.abs(error)).toBeLessThan(1000);
  });

  test('does not begin if the person must sign in again', async () => {
    const ctx = liveContext();
    const { jar } = await aBrowser(ctx, 0);

    expect(await signInWithout(ctx, jar, true)).toBe(null);
  });
});
