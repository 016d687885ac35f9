/** The board's own OpenID provider. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import inject from 'light-my-request';
import { type JWK, type JWTVerifyGetKey, createLocalJWKSet } from 'jose';
import { type AuthorizationServer, None } from 'oauth4webapi';
import type OidcProvider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Store } from '#db/store.ts';
import { acceptedAudiences } from '#core/domain/account/oauth.ts';
import { makeRoomForClient, refusedByBounds, registrable } from './client-metadata.ts';
import { createInteractions } from './interactions.ts';
import { adapterOver } from './provider-adapter.ts';
import type { Provider } from './provider.ts';
import {
  type SettingsOptions,
  OWN_CLIENT,
  VISITOR_HEADER,
  cookieNames,
  providerSettings,
} from './provider-settings.ts';
import { createPublicFetch } from './public-fetch.ts';
import { keyedHash, readSecret } from '#server/process/secrets.ts';
import { SIGNING_ALGORITHM, openSigningKey, publicJwk } from '../board-key.ts';

interface EmbeddedOptions extends Omit<
  SettingsOptions,
  'adapter' | 'cookieKey' | 'fetchPublic' | 'signingKey'
> {
  now: () => Date;
  onError: (error: unknown) => void;
  fetchPublic?: typeof globalThis.fetch;
  /** Whether an error comes from the storage. Such errors are not reported in the OAuth format. */
  isStorageFault: (error: unknown) => boolean;
}

const AUTHORIZE = '/oauth/authorize';

/** Creates the engine on first use, because loading it is slow and most tests do not need it. */
export function createEmbeddedProvider(options: EmbeddedOptions): Provider {
  const { store, baseUrl, now } = options;
  let opened: Keys | undefined;
  const keys = () => (opened ??= openKeys(store, now()));
  let made: Promise<Engine> | undefined;
  const engine = () => (made ??= makeEngine(options, keys().signing));
  const answer: NonNullable<Provider['answer']> = async (request, client) => {
    return (await engine()).answer(request, client);
  };
  const fetch = (url: string, init: RequestInit) => answer(new Request(url, init), '');
  return {
    issuer: baseUrl,
    interactions: createInteractions({
      store,
      engine: async () => (await engine()).provider,
      cookieName: cookieNames(baseUrl).interaction,
      cookieKey: () => cookieKeyOf(store, now()),
      keptClient: options.satellite?.clientId ?? null,
      now,
    }),
    authority: {
      client: { client_id: OWN_CLIENT },
      clientAuth: () => None(),
      server: async () => {
        const response = await fetch(`${baseUrl}/.well-known/openid-configuration`, {});
        const metadata = (await response.json()) as AuthorizationServer;
        return { ...metadata, response_modes_supported: ['query'] };
      },
      fetch,
    },
    tokens: {
      algorithms: [SIGNING_ALGORITHM],
      typ: 'at+jwt',
      keys: async () => keys().verifying,
      audiences: (resource) => acceptedAudiences(resource, baseUrl),
    },
    publicKeys: () => keys().published,
    answer,
  };
}

interface Keys {
  signing: JWK;
  published: JWK[];
  verifying: JWTVerifyGetKey;
}

function openKeys(store: Store, now: Date): Keys {
  const signing = openSigningKey(store, now);
  const published = [publicJwk(signing)];
  return { signing, published, verifying: createLocalJWKSet({ keys: published }) };
}

interface Engine {
  provider: OidcProvider;
  answer: NonNullable<Provider['answer']>;
}

async function makeEngine(options: EmbeddedOptions, signingKey: JWK): Promise<Engine> {
  const { store, baseUrl, now, onError, isStorageFault } = options;
  const { fetchPublic = createPublicFetch() } = options;
  const oidc = await import('oidc-provider');
  const refuse = () => {
    throw new oidc.errors.InvalidGrant('it was already used');
  };
  const settings = providerSettings(oidc, {
    ...options,
    adapter: adapterOver(store, baseUrl + AUTHORIZE, refuse),
    signingKey,
    cookieKey: cookieKeyOf(store, now()),
    fetchPublic,
  });
  const provider = new oidc.default(baseUrl, settings);
  // The base URL is always the configured one, see `headersFor`.
  provider.proxy = true;
  provider.use(endOtherLogin(provider));
  const failures: Failures = new WeakMap();
  provider.on('server_error', ({ req }, error) => {
    if (isStorageFault(error)) failures.set(req, error);
    else onError(error);
  });
  const listener = provider.callback();
  const answer: Engine['answer'] = async (request, client) => {
    return (
      refusedByBounds(request, store) ?? answerWith({ listener, failures, store }, request, client)
    );
  };
  return { provider, answer };
}

function cookieKeyOf(store: Store, now: Date): string {
  return keyedHash(readSecret(store, 'provider-cookies', now), 'cookies');
}

type Failures = WeakMap<IncomingMessage, unknown>;

interface Answering {
  listener: ReturnType<OidcProvider['callback']>;
  failures: Failures;
  store: Store;
}

async function answerWith(
  { listener, failures, store }: Answering,
  request: Request,
  client: string,
): Promise<Response> {
  const url = new URL(request.url);
  const body = await bodyFor(request, url.pathname, store);
  if (body instanceof Response) return body;
  let injected: IncomingMessage | undefined;
  const listen: RequestListener = (req, res) => {
    injected = req;
    void listener(req, res);
  };
  const { statusCode, headers, rawPayload } = await inject(listen as never, {
    method: request.method as 'GET',
    url: targetFor(url),
    headers: headersFor(request, url, client),
    ...(body.length > 0 && { payload: body }),
  });
  const failure = injected && failures.get(injected);
  if (failure !== undefined) throw failure;
  const answered = answeredHeaders(headers);
  // HTTP requires a challenge with every 401, and clients know this one.
  if (statusCode === 401 && !answered.has('www-authenticate')) {
    answered.set('WWW-Authenticate', 'Basic realm="opbench"');
  }
  const isEmpty = statusCode === 204 || rawPayload.length === 0;
  return new Response(isEmpty ? null : new Uint8Array(rawPayload), {
    status: statusCode,
    headers: answered,
  });
}

function answeredHeaders(headers: OutgoingHttpHeaders): Headers {
  const answered = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'content-length' || name === 'connection' || value === undefined) continue;
    [value].flat().forEach((each) => answered.append(name, String(each)));
  }
  answered.set('Cache-Control', answered.get('cache-control') ?? 'no-store');
  return answered;
}

/** Reads registrations, so that only the metadata that the board accepts is stored. */
async function bodyFor(request: Request, path: string, store: Store): Promise<Buffer | Response> {
  const bytes = Buffer.from(await request.arrayBuffer());
  if (path !== '/oauth/register') return bytes;
  const result = registrable(parsed(bytes));
  if ('metadata' in result) {
    return makeRoomForClient(store) ?? Buffer.from(JSON.stringify(result.metadata));
  }
  return Response.json(result.fault, { status: 400, headers: { 'Cache-Control': 'no-store' } });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return null;
  }
}

function targetFor({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  if (pathname === AUTHORIZE) fillDefaults(query);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/**
 * Fills in defaults. A request without a scope would be granted nothing. Refresh tokens require
 * `prompt=consent`, which every client except the board's own site leads to anyway.
 */
function fillDefaults(query: URLSearchParams): void {
  if (!query.has('scope')) query.set('scope', 'openid');
  // Other modes respond with a page with an inline script, which the board's policy forbids.
  if ((query.get('response_mode') ?? 'query') !== 'query') query.set('response_mode', 'none');
  const prompts = query.getAll('prompt');
  if (query.get('client_id') === OWN_CLIENT || prompts.length > 1) return;
  const asked = new Set((prompts[0] ?? '').split(' ').filter(Boolean));
  if (!asked.has('none')) query.set('prompt', [...asked.add('consent')].join(' '));
}

/** The only headers that are passed to the provider. Others could mislead it. */
const PASSED_HEADERS = [
  'accept',
  'access-control-request-headers',
  'access-control-request-method',
  'authorization',
  'content-type',
  'cookie',
  'origin',
];

function headersFor({ headers }: Request, { host, protocol }: URL, client: string) {
  const passed = PASSED_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    [VISITOR_HEADER]: client,
  };
}

/**
 * Ends the provider's session if another account was signed in with this browser before. The provider
 * itself would ask whether to sign out, on a page with an inline script.
 */
function endOtherLogin(provider: OidcProvider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const uid = ctx.path.startsWith(`${AUTHORIZE}/`) ? ctx.path.slice(AUTHORIZE.length + 1) : '';
    const asked = uid === '' ? undefined : await provider.Interaction.find(uid);
    const account = asked?.result?.login?.accountId;
    const session = account === undefined ? undefined : await provider.Session.get(ctx);
    if (session?.accountId !== undefined && session.accountId !== account) await session.destroy();
    await next();
  };
}
