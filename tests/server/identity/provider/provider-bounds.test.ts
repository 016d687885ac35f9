import { describe, expect, test, vi } from 'vitest';
import {
  FORGOTTEN_CLIENTS,
  MAX_CLIENTS,
  MAX_INTERACTIONS,
} from '#server/identity/provider/client-metadata.ts';
import { CookieJar } from '#tests/support/pages/browser-cookies.ts';
import {
  type TestContext,
  anOperator,
  execute,
  testContext,
} from '#tests/support/board/context.ts';
import {
  REDIRECT,
  aLetInApplication,
  aPkce,
  ask,
  authorizePath,
  questionOf,
  register,
} from '#tests/support/http/provider.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function liveContext(): TestContext {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

/** Fills the table with a number of entities of a kind. */
function fill(ctx: TestContext, kind: string, rows: number): void {
  const end = Math.floor(Date.now() / 1000) + 1000;
  execute(
    ctx,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO oidc_entities (kind, id_hash, payload, expires_at)
     SELECT '${kind}', 'x' || i, '{}', ${end} FROM n`,
  );
}

const clientsOf = ({ store }: TestContext) =>
  store.oidc.count('Client', Math.floor(Date.now() / 1000));

const registration = (metadata: object) => ({ method: 'POST', body: JSON.stringify(metadata) });

describe('what anonymous requests can store', () => {
  test.each([
    ['a long state', { state: 's'.repeat(513) }],
    ['a long nonce', { nonce: 'n'.repeat(513) }],
    ['any long parameter', { login_hint: 'x'.repeat(2000) }],
    ['a space in the return address', { redirect_uri: `${REDIRECT}/a b` }],
    ['a line break in the return address', { redirect_uri: `${REDIRECT}\n` }],
    ['a backslash in the return address', { redirect_uri: 'https://app.example.org\\callback' }],
  ])('excludes an authorization with %s', async (_, over) => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const { challenge } = await aPkce();

    const long = await ask(ctx, authorizePath({ clientId, challenge, over }));
    const fitting = { state: 's'.repeat(512) };
    const short = await ask(ctx, authorizePath({ clientId, challenge, over: fitting }));

    expect([long.status, long.body['error']]).toEqual([400, 'invalid_request']);
    expect(questionOf(short)).not.toBe('');
  });

  test('is limited in interactions, and the open ones can still be completed', async () => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const path = authorizePath({ clientId, challenge: (await aPkce()).challenge });
    fill(ctx, 'Interaction', MAX_INTERACTIONS - 1);

    const jar = new CookieJar();
    const last = await ask(ctx, path, {}, jar);
    const refused = await ask(ctx, path);
    const resumed = await ask(ctx, `/oauth/authorize/${questionOf(last)}`, {}, jar);

    expect([last.status, refused.status, resumed.status]).toEqual([303, 503, 303]);
    expect(refused.body['error']).toBe('temporarily_unavailable');
  });

  test('is limited in clients, and the oldest unauthorized ones are removed', async () => {
    const ctx = liveContext();
    const { clientId: authorized } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
    const asking = await register(ctx);
    const pathOf = async (clientId: string) =>
      authorizePath({ clientId, challenge: (await aPkce()).challenge });
    expect((await ask(ctx, await pathOf(asking))).status).toBe(303);
    const forgotten = await register(ctx);
    fill(ctx, 'Client', MAX_CLIENTS - 3);
    // All three are the oldest.
    execute(ctx, `UPDATE oidc_entities SET expires_at = expires_at - 900 WHERE id_hash LIKE 'x%'`);
    const end = Math.floor(Date.now() / 1000) + 50;
    execute(
      ctx,
      `UPDATE oidc_entities SET expires_at = ${end} WHERE kind = 'Client' AND id_hash NOT LIKE 'x%'`,
    );

    const added = await register(ctx);

    const statuses = [];
    for (const clientId of [authorized, asking, forgotten, added]) {
      statuses.push((await ask(ctx, await pathOf(clientId))).status);
    }
    expect(statuses).toEqual([303, 303, 400, 303]);
    expect(clientsOf(ctx)).toBe(MAX_CLIENTS - FORGOTTEN_CLIENTS + 1);
  });

  test('excludes a new client if all are authorized, and rejected registrations remove none', async () => {
    const ctx = liveContext();
    fill(ctx, 'Client', MAX_CLIENTS);
    await ask(ctx, '/oauth/register', registration({ redirect_uris: ['x'] }));
    expect(clientsOf(ctx)).toBe(MAX_CLIENTS);
    execute(
      ctx,
      `UPDATE oidc_entities SET payload = json_object('client_id', id_hash) WHERE kind = 'Client';
       INSERT INTO oidc_entities (kind, id_hash, payload, expires_at)
       SELECT 'Grant', id_hash, json_object('clientId', id_hash), expires_at FROM oidc_entities`,
    );

    const path = '/oauth/register';
    const told = await ask(ctx, path, registration({ redirect_uris: [REDIRECT] }));

    expect([told.status, told.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(clientsOf(ctx)).toBe(MAX_CLIENTS);
  });

  test.each([
    ['six addresses', Array.from({ length: 6 }, (_, i) => `${REDIRECT}/${i}`)],
    ['a long address', [`${REDIRECT}/${'x'.repeat(500)}`]],
  ])('excludes a client with %s', async (_, redirect_uris) => {
    const told = await ask(liveContext(), '/oauth/register', registration({ redirect_uris }));

    expect([told.status, told.body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('includes an unused client for a day, and a connected one for 30 days', async () => {
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
