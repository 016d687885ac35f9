import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmbeddedProvider } from '#server/identity/provider/embedded-provider.ts';
import { createPublicFetch } from '#server/identity/provider/public-fetch.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aPkce, ask, authorizePath, questionOf } from '#tests/support/http/provider.ts';

const CLIENT = 'https://app.example.org/client.json';

/** A board that fetches metadata documents with this function. */
function aBoard(fetchPublic: typeof fetch) {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  ctx.provider = createEmbeddedProvider({
    store: ctx.store,
    baseUrl: BASE_URL,
    satellite: null,
    now: ctx.now,
    signedIn: () => Promise.resolve(undefined),
    mayFetch: () => true,
    fetchPublic,
    onError: (error) => ctx.errors.push(error as Error),
    isStorageFault: () => false,
  });
  return ctx;
}

/** Serves one document. */
const serving = (metadata: object) =>
  aBoard(() =>
    Promise.resolve(
      Response.json({ client_id: CLIENT, token_endpoint_auth_method: 'none', ...metadata }),
    ),
  );

async function authorize(ctx: ReturnType<typeof aBoard>, clientId: string, redirect_uri: string) {
  const { challenge } = await aPkce();
  return ask(ctx, authorizePath({ clientId, challenge, over: { redirect_uri } }));
}

describe('registration', () => {
  const registering = async (redirect_uri: string) => {
    const { status, body } = await ask(serving({}), '/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirect_uri] }),
    });
    return [status, body['redirect_uris'] ?? body['error']];
  };

  test.each([
    'https://app.example.org',
    'http://localhost:1234',
    'http://127.0.0.1/callback',
    'http://[::1]:33418/',
  ])('accepts the redirect URI %s', async (uri) => {
    await expect(registering(uri)).resolves.toEqual([201, [uri]]);
  });

  test.each([
    'https://app.example.org/a b',
    'https://app.example.org/\n',
    'https://app.example.org\\@evil.example/',
    'https://App.example.org/',
  ])('rejects the redirect URI %j', async (uri) => {
    await expect(registering(uri)).resolves.toEqual([400, 'invalid_redirect_uri']);
  });
});

describe('a client metadata document', () => {
  test.each(['https://app.example.org/callback', 'http://127.0.0.1/callback'])(
    'identifies an app with the redirect URI %s',
    async (uri) => {
      const told = await authorize(serving({ redirect_uris: [uri] }), CLIENT, uri);

      expect(questionOf(told)).not.toBe('');
    },
  );

  test.each([
    'https://app.example.org/a b',
    'https://app.example.org\\@evil.example/',
    'https://app.example.org/\n',
    'https://APP.example.org/callback',
  ])('is rejected with the redirect URI %j', async (uri) => {
    const fitting = 'https://app.example.org/callback';
    const ctx = serving({ redirect_uris: [fitting, uri] });

    const told = await authorize(ctx, CLIENT, fitting);

    expect(questionOf(told)).toBe('');
    expect([told.status, told.body['error']]).toEqual([400, 'invalid_client']);
  });

  test('is not fetched from a local address', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    let waits = 0;
    const wait = () => ((waits += 1) % 2 === 1 ? new Promise(() => undefined) : Promise.resolve());
    const ctx = aBoard(createPublicFetch({ wait }));

    const answers = [];
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1', '[::1]']) {
      const { status, body } = await authorize(ctx, `https://${host}/c.json`, CLIENT);
      answers.push([status, body['error_description']]);
    }

    const same = [400, 'client_id metadata document fetch failed'];
    expect(answers).toEqual([same, same, same, same]);
    expect(connections).toBe(0);
  });
});
