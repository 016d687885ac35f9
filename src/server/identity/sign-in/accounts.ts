/** Who signs in with which account. An account is found by its methods only, never by an address. */
import { randomInt, randomUUID } from 'node:crypto';
import type { IdentityRow } from '#db/identities.ts';
import type { Operator } from '#db/operators.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { generatedCodename } from '#core/domain/account/generated-codename.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import type { SignInMethod } from '#core/schema/account.ts';
import { isCodenameFree } from '#server/operator/codenames.ts';
import type { AppContext } from '#server/context.ts';
import { keyedHash, readSecret } from '../secrets.ts';

/** Somebody as a sign-in method names them. */
export type Identity = Pick<IdentityRow, 'label' | 'method' | 'subject'>;

/** Tries until a made-up codename is free; each is taken with a chance of one in many. */
const CODENAME_TRIES = 50;

/**
 * What is kept instead of who a method names: the same person has the same one each time, and it tells
 * nobody who that is.
 *
 * @param id What the method knows a person by, for ever: a number there, an address, an issuer and a subject.
 */
export function subjectOf(ctx: AppContext, method: SignInMethod, id: string): string {
  return keyedHash(readSecret(ctx.store, 'subjects', ctx.now()), `${method}\n${id}`);
}

/**
 * The account of somebody who was just recognised by a method; made, under a made-up codename, at the
 * first sign-in. Call it inside a transaction.
 */
export function findOrCreateAccount(
  ctx: AppContext,
  identity: Identity,
): { operator_id: number; created: boolean } {
  const now = ctx.now().toISOString();
  const known = ctx.store.identities.bySubject(identity.subject);
  const operator_id = known?.operator_id ?? createAccount(ctx).id;
  const id = known?.id ?? addIdentity(ctx, operator_id, identity);
  ctx.store.identities.use({ id, label: identity.label }, now);
  noteSignIn(ctx, operator_id, nameOf(identity));
  return { operator_id, created: !known };
}

/**
 * Links a method to an account, so that it signs in there. Call it inside a transaction.
 *
 * @throws {DomainError} `method_taken` if it belongs to another account.
 * @throws {DomainError} `validation_failed` if the account has too many.
 */
export function linkIdentity(ctx: AppContext, operator_id: number, identity: Identity): void {
  const known = ctx.store.identities.bySubject(identity.subject);
  if (known?.operator_id === operator_id) return;
  if (known) {
    throw new DomainError('method_taken', `${nameOf(identity)} signs in to another account`);
  }
  const { most } = ACCOUNT_LIMITS.sign_in_methods;
  if (ctx.store.identities.ofOperator(operator_id).length >= most) {
    throw new DomainError('validation_failed', `An account has at most ${most} methods`);
  }
  addIdentity(ctx, operator_id, identity);
  ctx.store.accountEvents.add({
    operator_id,
    kind: 'method_linked',
    detail: nameOf(identity),
    created_at: ctx.now().toISOString(),
  });
}

/** The method that an operator signed in with last; null if that was none of them. */
export function lastMethod(ctx: AppContext, operator_id: number): SignInMethod | null {
  return ctx.store.identities.lastUsed(operator_id)?.method ?? null;
}

/** Notes for an operator that somebody signed in. */
export function noteSignIn(ctx: AppContext, operator_id: number, detail: string): void {
  const created_at = ctx.now().toISOString();
  ctx.store.accountEvents.add({ operator_id, kind: 'signed_in', detail, created_at });
}

/** An identity in words: `GitHub: octocat`. */
export function nameOf({ method, label }: Pick<Identity, 'label' | 'method'>): string {
  return `${METHOD_NAMES[method]}: ${label}`;
}

function createAccount(ctx: AppContext): Operator {
  const created_at = ctx.now().toISOString();
  for (let tries = 0; tries < CODENAME_TRIES; tries += 1) {
    const codename = generatedCodename((limit) => randomInt(limit));
    if (!isCodenameFree(ctx, codename)) continue;
    const public_id = randomUUID();
    const account = { public_id, codename, created_at, codename_confirmed: 0 as const };
    const operator = ctx.store.operators.add(account);
    if (operator) return operator;
  }
  throw new DomainError('service_unavailable', 'No made-up codename is free; try again');
}

function addIdentity(
  ctx: AppContext,
  operator_id: number,
  { method, subject, label }: Identity,
): string {
  const id = randomUUID();
  const linked_at = ctx.now().toISOString();
  ctx.store.identities.add({ id, operator_id, method, subject, label, linked_at });
  return id;
}
