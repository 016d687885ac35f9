/** Replacements on loopback for the sites that people sign in with, which respond like those. */
import { createHash, randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export const CLIENT = { clientId: 'opbench-test', clientSecret: 'a+b:c/d%e f' };

type SiteName = 'github' | 'twitter';

/** A person on the site, and how the site behaves. */
export interface Site {
  url: string;
  /** The person who is signed in there. */
  user: { id: number; name: string };
  /** Handles every request on this path if set. */
  misbehave: Map<string, (response: ServerResponse) => void>;
  /** The requests that it received, in order: method and path. */
  asked: string[];
}

const PATHS = {
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    user: '/user',
  },
  twitter: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', user: '/2/users/me' },
} as const;

/**
 * A site that grants every request immediately. A code works once, for the client and the verifier for which it was
 * created.
 */
export async function aSite(name: SiteName): Promise<Site> {
  const codes = new Map<string, URLSearchParams>();
  const site: Site = { url: '', user: { id: 7, name: 'octocat' }, misbehave: new Map(), asked: [] };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site.invalid');
    site.asked.push(`${request.method} ${pathname}`);
    const misbehave = site.misbehave.get(pathname);
    if (misbehave) return misbehave(response);
    const { authorize, token, user } = PATHS[name];
    if (pathname === authorize) return allow(codes, searchParams, response);
    if (pathname === token) return void exchange(name, codes, request, response);
    if (pathname === user) return tellUser(name, site, request, response);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

/** Visits a site like a browser. Returns the address to which it redirects the browser. */
export async function visit(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

function allow(
  codes: Map<string, URLSearchParams>,
  asked: URLSearchParams,
  response: ServerResponse,
): void {
  const back = new URL(asked.get('redirect_uri') ?? '');
  const code = randomUUID();
  codes.set(code, asked);
  back.searchParams.set('code', code);
  back.searchParams.set('state', asked.get('state') ?? '');
  response.writeHead(302, { Location: back.href }).end();
}

async function exchange(
  name: SiteName,
  codes: Map<string, URLSearchParams>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const code = form.get('code') ?? '';
  const asked = codes.get(code);
  codes.delete(code);
  const isClient = name === 'github' ? isGithubClient(form) : isTwitterClient(request);
  if (isClient && asked && isOf(asked, form)) {
    return json(response, 200, { access_token: 'secret-token', token_type: 'bearer' });
  }
  const [status, unknownClient, badCode] = REFUSALS[name];
  json(response, status, { error: isClient ? badCode : unknownClient, error_description: 'No' });
}

/** GitHub reports errors with status 200. */
const REFUSALS = {
  github: [200, 'incorrect_client_credentials', 'bad_verification_code'],
  twitter: [400, 'unauthorized_client', 'invalid_grant'],
} as const;

/** Whether a code was issued to the client that presents it. */
function isOf(asked: URLSearchParams, form: URLSearchParams): boolean {
  const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
  return (
    form.get('grant_type') === 'authorization_code' &&
    asked.get('redirect_uri') === form.get('redirect_uri') &&
    asked.get('code_challenge_method') === 'S256' &&
    asked.get('code_challenge') === verifier.digest('base64url')
  );
}

function isGithubClient(form: URLSearchParams): boolean {
  const { clientId, clientSecret } = CLIENT;
  return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
}

/** The two parts of the Basic header are form-encoded. */
function isTwitterClient({ headers }: IncomingMessage): boolean {
  const [, encoded = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
  const parts = Buffer.from(encoded, 'base64').toString().split(':');
  const [id, secret] = parts.map((part) => new URLSearchParams(`p=${part}`).get('p'));
  return parts.length === 2 && id === CLIENT.clientId && secret === CLIENT.clientSecret;
}

function tellUser(
  name: SiteName,
  { user }: Site,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (headers.authorization !== 'Bearer secret-token' || !headers['user-agent']) {
    return json(response, 401, { message: 'Bad credentials' });
  }
  if (name === 'github') return json(response, 200, { id: user.id, login: user.name });
  json(response, 200, { data: { id: String(user.id), username: user.name, name: 'Octo' } });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
