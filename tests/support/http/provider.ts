/** Apps and browsers that use the board's own provider, in this process. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import { onTestFinished } from 'vitest';
import type { Operator } from '#db/operators.ts';
import type { AppContext } from '#server/context.ts';
import { BASE_URL } from '../board/builders.ts';
import { CookieJar } from '../pages/browser-cookies.ts';

export const REDIRECT = 'https://app.example.org/callback';

/** The provider's response. */
export interface Told {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Sends a request to the provider, as a browser with this jar if there is one. */
export async function ask(
  ctx: AppContext,
  path: string,
  init: RequestInit = {},
  jar?: CookieJar,
): Promise<Told> {
  const url = new URL(path, BASE_URL);
  const headers = new Headers(init.headers);
  if (jar) headers.set('Cookie', jar.header(url.pathname));
  const answer = ctx.provider.answer;
  if (!answer) throw new Error('The provider is external');
  const response = await answer(new Request(url, { ...init, headers }), 'client');
  jar?.keep(response.headers);
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as Told['body']) : {};
  return { status: response.status, headers: response.headers, body };
}

/** Registers an app. Returns its ID. */
export async function register(ctx: AppContext, metadata: object = {}): Promise<string> {
  const { body } = await ask(ctx, '/oauth/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Helper', redirect_uris: [REDIRECT], ...metadata }),
  });
  return String(body['client_id']);
}

export async function aPkce() {
  const verifier = generateRandomCodeVerifier();
  return { verifier, challenge: await calculatePKCECodeChallenge(verifier) };
}

/** A browser in which the operator is signed in to the board. */
export async function aSignedInBrowser(ctx: AppContext, operator: Operator): Promise<CookieJar> {
  const jar = new CookieJar();
  const headers = new Headers();
  headers.append('Set-Cookie', await ctx.sessions.start(operator.id));
  jar.keep(headers);
  return jar;
}

export interface Authorization {
  clientId: string;
  challenge: string;
  over?: Readonly<Record<string, string>>;
}

export function authorizePath({ clientId, challenge, over = {} }: Authorization): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'openid offline_access',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...over,
  });
  return `/oauth/authorize?${query}`;
}

/** Follows redirects as long as they lead to the provider. */
async function follow(ctx: AppContext, told: Told, jar: CookieJar): Promise<Told> {
  const location = told.headers.get('location') ?? '';
  if (!location.startsWith(`${BASE_URL}/oauth/`)) return told;
  return follow(ctx, await ask(ctx, location, {}, jar), jar);
}

/** The interaction that a response leads to. */
export function questionOf({ headers }: Told): string {
  return /\/login\/interaction\/([\w-]+)/.exec(headers.get('location') ?? '')?.[1] ?? '';
}

/** Connects an app in this browser, whose operator is signed in. Returns its code. */
export async function letIn(
  ctx: AppContext,
  jar: CookieJar,
  operator: Operator,
  wish: Authorization,
): Promise<string> {
  const { searchParams } = await answerConsent(ctx, { jar, operator, path: authorizePath(wish) });
  return searchParams.get('code') ?? '';
}

interface Consent {
  jar: CookieJar;
  operator: Operator;
  /** The provider's address to which the app sends the browser. */
  path: string;
  verdict?: 'approve' | 'deny';
}

/**
 * Responds to an app's consent request in this browser, whose operator is signed in. Returns the target of the
 * redirect.
 */
export async function answerConsent(
  ctx: AppContext,
  { jar, operator, path, verdict = 'approve' }: Consent,
): Promise<URL> {
  const { interactions } = ctx.provider;
  if (!interactions) throw new Error('The provider is external');
  let told = await ask(ctx, path, {}, jar);
  const login = await interactions.read(questionOf(told));
  if (login?.prompt === 'login') {
    const proof = await interactions.finishLogin(login.uid, operator.public_id, ctx.now());
    const { location } = await interactions.redeem(login.uid, proof.split('proof=')[1] ?? '');
    told = await ask(ctx, location, {}, jar);
  }
  const onward = await interactions[verdict](questionOf(told));
  const done = await follow(ctx, await ask(ctx, onward, {}, jar), jar);
  return new URL(done.headers.get('location') ?? BASE_URL);
}

/** Exchanges a code or token for tokens. */
export function exchange(ctx: AppContext, fields: Record<string, string>): Promise<Told> {
  return ask(ctx, '/oauth/token', { method: 'POST', body: new URLSearchParams(fields) });
}

/** A connected app, and what it has not exchanged for tokens yet. */
export async function aCode(
  ctx: AppContext,
  operator: Operator,
  over: Readonly<Record<string, string>> = {},
) {
  const clientId = await register(ctx);
  const { verifier, challenge } = await aPkce();
  const jar = await aSignedInBrowser(ctx, operator);
  const code = await letIn(ctx, jar, operator, { clientId, challenge, over });
  const grant = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
  };
  return { clientId, jar, grant };
}

/** A connected app, and its tokens. */
export async function aLetInApplication(
  ctx: AppContext,
  operator: Operator,
  over: Readonly<Record<string, string>> = {},
) {
  const { clientId, jar, grant } = await aCode(ctx, operator, over);
  const { body } = await exchange(ctx, grant);
  return { clientId, jar, grant, tokens: body as Record<string, string> };
}

/**
 * Makes requests to addresses that strangers name fail immediately until the end of the test, instead of at a deadline.
 */
export function withoutDeadlines(): void {
  const { setTimeout } = timers;
  const put = (wait: typeof setTimeout) => {
    timers.setTimeout = wait;
    syncBuiltinESMExports();
  };
  let waits = 0;
  const wait = () => ((waits += 1) % 2 === 1 ? new Promise(() => undefined) : Promise.resolve());
  put(wait as typeof setTimeout);
  onTestFinished(() => put(setTimeout));
}
