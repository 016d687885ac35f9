import { randomUUID } from 'node:crypto';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '#server/context.ts';
import { codenameTaken, isCodenameFree } from '#server/operator/codenames.ts';
import { type Actor, audit } from '#server/process/admin-actions.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { noteSignIn } from './accounts.ts';
import { type SignInBrowser, beginSession } from './sign-in.ts';

/** The codename that a login link signs in; null if the link is not valid. */
export function readLoginLink(ctx: AppContext, token: string): string | null {
  const operatorId = ctx.store.loginLinks.operatorOf(sha256Hex(token), ctx.now().toISOString());
  if (operatorId === undefined) return null;
  return ctx.store.operators.byId(operatorId)?.codename ?? null;
}

/** How long a link is valid, in milliseconds (15 minutes). */
export const LINK_TTL_MS = 15 * 60 * 1000;

interface LoginLinkRequest {
  codename: string;
  create: boolean;
  baseUrl: string;
  now: Date;
  by?: Actor;
}

/** Creates a one-time sign-in URL for an operator. The operator's account activity shows it. */
export function createLoginLink(store: AppContext['store'], request: LoginLinkRequest): string {
  const codename = parseAs(Codename, request.codename, 'The codename');
  const created_at = request.now.toISOString();
  const token = randomSecret();
  store.transaction(() => {
    const operator_id = request.create
      ? addOperator(store, codename, request.now)
      : knownOperator(store, codename);
    store.loginLinks.add({
      token_hash: sha256Hex(token),
      operator_id,
      created_at,
      expires_at: new Date(request.now.getTime() + LINK_TTL_MS).toISOString(),
    });
    const detail = 'Created by the admin';
    store.accountEvents.add({ operator_id, kind: 'login_link_created', detail, created_at });
    const { now, by } = request;
    const about = { subject: codename, operator_id, reason: null };
    audit(store, { action: 'login_link', ...about, now, ...(by && { by }) });
  });
  return `${request.baseUrl}/login/link?token=${token}`;
}

function addOperator(store: AppContext['store'], codename: string, now: Date): number {
  const account = { public_id: randomUUID(), codename, created_at: now.toISOString() };
  const isFree = isCodenameFree({ store, now: () => now }, codename);
  const operator = isFree ? store.operators.add(account) : undefined;
  if (operator) return operator.id;
  throw codenameTaken(codename);
}

function knownOperator(store: AppContext['store'], codename: string): number {
  const operator = store.operators.byCodename(codename);
  if (operator) return operator.id;
  throw new DomainError('codename_unknown', `No operator has the codename "${codename}"`);
}

/**
 * Uses a login link and returns the `Set-Cookie` value of a new session, which replaces the browser's current
 * session.
 */
export async function useLoginLink(ctx: AppContext, token: string, browser: SignInBrowser) {
  const operator_id = ctx.store.transaction(() => {
    const owner = ctx.store.loginLinks.use(sha256Hex(token), ctx.now().toISOString());
    if (owner !== undefined) noteSignIn(ctx, owner, METHOD_NAMES.login_link);
    return owner;
  });
  if (operator_id === undefined) {
    throw new DomainError(
      'login_link_invalid',
      'The link is unknown, was already used, or has expired',
    );
  }
  return beginSession(ctx, operator_id, 'login_link', browser);
}
