import { describe, expect, test } from 'vitest';
import {
  createLoginLink,
  readLoginLink,
  useLoginLink,
} from '#server/identity/sign-in/login-link.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { readAccountEvents } from '#server/identity/sign-in/accounts.ts';
import { readSession } from '#server/identity/sessions.ts';
import { BASE_URL, MINUTE_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** A browser without cookies. */
const STRANGER = { cookieHeader: null, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
const REFUSED = { code: 'login_link_invalid' };

function aLink(ctx: TestContext, codename = 'ada', create = true): string {
  return createLoginLink(ctx.store, { codename, create, baseUrl: BASE_URL, now: ctx.now() });
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';

describe('createLoginLink()', () => {
  test("creates the account and a link, and stores only the link's hash", () => {
    const ctx = testContext();

    const link = aLink(ctx);

    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4321\/login\/link\?token=[\w-]{43}$/);
    expect(ctx.store.operators.byCodename('ada')).toBeDefined();
    expect(JSON.stringify(dumpOf(ctx))).not.toContain(tokenOf(link));
  });

  test.each([
    ['codename_taken', 'ada', true],
    ['codename_taken', 'admin', true],
    ['codename_taken', 'anonymous-0123456789', true],
    ['codename_unknown', 'bob', false],
    ['validation_failed', 'Ada', true],
    ['validation_failed', 'ad', true],
    ['validation_failed', '', false],
  ] as const)('throws %s for "%s", new: %s, and keeps nothing', (code, codename, create) => {
    const ctx = testContext();
    anOperator(ctx, 'ada');
    const before = dumpOf(ctx);

    expect(() => aLink(ctx, codename, create)).toThrow(refusal(code));
    expect(dumpOf(ctx)).toEqual(before);
  });
});

test('the admin CLI and the form report a codename that is not available in the same words', async () => {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'ada');
  anOperator(ctx, 'bob');

  for (const codename of ['bob', 'admin']) {
    const sentence = `The codename "${codename}" is taken or reserved`;
    expect(() => aLink(ctx, codename, true)).toThrow(sentence);
    await expect(setCodename(ctx, id, codename)).rejects.toThrow(sentence);
  }
});

describe("an account's events", () => {
  test('show the operator that a link was created and used', async () => {
    const ctx = testContext();
    await useLoginLink(ctx, tokenOf(aLink(ctx)), STRANGER);

    expect(readAccountEvents(ctx, 1)).toMatchObject([
      { kind: 'signed_in', detail: 'One-time link' },
      { kind: 'login_link_created', detail: 'Created by the admin' },
    ]);
  });
});

describe('useLoginLink()', () => {
  test("ends the browser's earlier session", async () => {
    const ctx = testContext();
    const before = await useLoginLink(ctx, tokenOf(aLink(ctx)), STRANGER);

    await useLoginLink(ctx, tokenOf(aLink(ctx, 'ada', false)), {
      ...STRANGER,
      cookieHeader: before.split(';')[0] ?? '',
    });

    expect(await ctx.sessions.read(before)).toBeNull();
    expect(ctx.store.sessions.ofOperator(1)).toHaveLength(1);
  });

  test('starts a session of the operator', async () => {
    const ctx = testContext();
    const token = tokenOf(aLink(ctx));
    expect(readLoginLink(ctx, token)).toBe('ada');

    const cookie = (await useLoginLink(ctx, token, STRANGER)).split(';')[0] ?? '';

    const session = await ctx.sessions.read(cookie);
    expect(session).toMatchObject({ operator_id: 1 });
    expect(readSession(ctx, { operator_id: session?.operator_id ?? 0, device_id: null })).toEqual({
      signedIn: true,
      operator: { codename: 'ada', display_name: null, avatar_url: null },
    });
  });

  test('works once', async () => {
    const ctx = testContext();
    const token = tokenOf(aLink(ctx));
    await useLoginLink(ctx, token, STRANGER);

    expect(readLoginLink(ctx, token)).toBeNull();
    await expect(useLoginLink(ctx, token, STRANGER)).rejects.toMatchObject(REFUSED);
  });

  test('opening a link does not use it', async () => {
    const ctx = testContext();
    const token = tokenOf(aLink(ctx));
    readLoginLink(ctx, token);
    readLoginLink(ctx, token);

    await expect(useLoginLink(ctx, token, STRANGER)).resolves.toContain('session=');
  });

  test('ends after 15 minutes', async () => {
    const ctx = testContext();
    const [first, second] = [tokenOf(aLink(ctx)), tokenOf(aLink(ctx, 'ada', false))];

    ctx.clock.nowMs += 15 * MINUTE_MS - 1;
    await expect(useLoginLink(ctx, first, STRANGER)).resolves.toContain('session=');
    ctx.clock.nowMs += 1;
    expect(readLoginLink(ctx, second)).toBeNull();
    await expect(useLoginLink(ctx, second, STRANGER)).rejects.toMatchObject(REFUSED);
  });

  test.each(['', 'x', 'A'.repeat(43)])(
    'throws login_link_invalid for the token %j',
    async (token) => {
      await expect(useLoginLink(testContext(), token, STRANGER)).rejects.toMatchObject(REFUSED);
    },
  );
});

describe('readSession()', () => {
  test('is signed out without a caller, or after the account is deleted', () => {
    const ctx = testContext();
    const nobody = { signedIn: false, operator: null };

    expect(readSession(ctx, null)).toEqual(nobody);
    expect(readSession(ctx, { operator_id: 7, device_id: null })).toEqual(nobody);
  });
});
