import { describe, expect, test, vi } from 'vitest';
import { MAX_CLIENTS, MAX_QUESTIONS } from '#server/identity/provider-bounds.ts';
import { CookieJar } from '#tests/support/browser-cookies.ts';
import { type TestContext, anOperator, execute, testContext } from '#tests/support/context.ts';
import {
  REDIRECT,
  aLetInApplication,
  aPkce,
  ask,
  authorizePath,
  questionOf,
  register,
} from '#tests/support/provider.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function liveContext(): TestContext {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

/** Fills the table with so many of a kind. */
function fill(ctx: TestContext, kind: string, rows: number): void {
  const end = Math.floor(Date.now() / 1000) + 1000;
  execute(
    ctx,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO oidc_entities (kind, id_hash, payload, expires_at)
     SELECT '${kind}', 'x' || i, '{}', ${end} FROM n`,
  );
}

const registration = (metadata: object) => ({ method: 'POST', body: JSON.stringify(metadata) });

describe('what strangers can have kept', () => {
  test.each([
    ['a long state', { state: 's'.repeat(513) }],
    ['a long nonce', { nonce: 'n'.repeat(513) }],
    ['a long anything', { login_hint: 'x'.repeat(2000) }],
  ])('is no authorization with %s', async (_, over) => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const { challenge } = await aPkce();

    const long = await ask(ctx, authorizePath({ clientId, challenge, over }));
    const fitting = { state: 's'.repeat(512) };
    const short = await ask(ctx, authorizePath({ clientId, challenge, over: fitting }));

    expect([long.status, long.body['error']]).toEqual([400, 'invalid_request']);
    expect(questionOf(short)).not.toBe('');
  });

  test('is not more than so many questions, and those that wait can still be answered', async () => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const path = authorizePath({ clientId, challenge: (await aPkce()).challenge });
    fill(ctx, 'Interaction', MAX_QUESTIONS - 1);

    const jar = new CookieJar();
    const last = await ask(ctx, path, {}, jar);
    const refused = await ask(ctx, path);
    const resumed = await ask(ctx, `/oauth/authorize/${questionOf(last)}`, {}, jar);

    expect([last.status, refused.status, resumed.status]).toEqual([303, 503, 303]);
    expect(refused.body['error']).toBe('temporarily_unavailable');
  });

  test('is not more than so many clients', async () => {
    const ctx = liveContext();
    const known = await register(ctx);
    fill(ctx, 'Client', MAX_CLIENTS - 1);

    const { status, body } = await ask(
      ctx,
      '/oauth/register',
      registration({ redirect_uris: [REDIRECT] }),
    );
    const path = authorizePath({ clientId: known, challenge: (await aPkce()).challenge });

    expect([status, body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect((await ask(ctx, path)).status).toBe(303);
  });

  test.each([
    ['six addresses', Array.from({ length: 6 }, (_, i) => `${REDIRECT}/${i}`)],
    ['a long address', [`${REDIRECT}/${'x'.repeat(500)}`]],
  ])('is no client with %s', async (_, redirect_uris) => {
    const told = await ask(liveContext(), '/oauth/register', registration({ redirect_uris }));

    expect([told.status, told.body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('is for a day a client that nobody lets in, and for 30 one that somebody did', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const ctx = liveContext();
      const unused = await register(ctx);
      const { clientId: used } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
      const { challenge } = await aPkce();
      const statuses = [];
      for (const days of [0.9, 0.2, 28, 2]) {
        vi.advanceTimersByTime(days * DAY_MS);
        for (const clientId of [unused, used]) {
          statuses.push((await ask(ctx, authorizePath({ clientId, challenge }))).status);
        }
      }

      expect(statuses).toEqual([303, 303, 400, 303, 400, 303, 400, 400]);
    } finally {
      vi.useRealTimers();
    }
  });
});
