/** Finds the account for a sign-in method. Accounts are never found by an address alone. */
import { randomInt, randomUUID } from 'node:crypto';
import type { PasskeyRow } from '#db/passkeys.ts';
import type { IdentityRow } from '#db/sign-in.ts';
import type { Operator } from '#db/operators.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { generatedCodename } from '#core/domain/account/codename.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { SignInMethod, LinkedMethod } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { isCodenameFree } from '#server/operator/codenames.ts';
import { type Newcomer, admitNewcomer } from '../joining/newcomers.ts';
import { keyedHash, readSecret } from '#server/process/secrets.ts';

/** The random ID and codename of an account that may be created. */
export type ProposedAccount = Pick<Operator, 'codename' | 'public_id'>;

export type MethodIdentity = Pick<IdentityRow, 'label' | 'method' | 'subject'> & {
  /** A passkey that was just created. */
  passkey?: Omit<PasskeyRow, 'identity_id'>;
  /** The account for which the passkey was created, if it does not exist yet. */
  account?: ProposedAccount;
};

/** How many generated codenames are tried. Each one is unlikely to be taken. */
const CODENAME_TRIES = 50;

/**
 * The keyed hash that identifies a person by a sign-in method. It is always the same for the same person and
 * does not reveal who that is.
 *
 * @param id The person's permanent ID with the method: a user number, an address, or an issuer and subject.
 */
export function subjectOf(ctx: AppContext, method: SignInMethod, id: string): string {
  return keyedHash(readSecret(ctx.store, 'subjects', ctx.now()), `${method}\n${id}`);
}

/**
 * The account of a person who just signed in with a method. The first sign-in creates it with a generated
 * codename. Call it inside a transaction.
 *
 * @throws {DomainError} `join_refused` if the person has no account and may not join.
 */
export function findOrCreateAccount(ctx: AppContext, identity: MethodIdentity, newcomer: Newcomer) {
  const now = ctx.now().toISOString();
  const known = ctx.store.identities.bySubject(identity.subject);
  // A new passkey proves nothing about an account that already has its ID, which others can know.
  if (known && identity.passkey) throw methodTaken(identity);
  const operator_id = known?.operator_id ?? createAccount(ctx, newcomer, identity.account).id;
  const id = known?.id ?? addIdentity(ctx, operator_id, identity);
  ctx.store.identities.use({ id, label: identity.label }, now);
  noteSignIn(ctx, operator_id, nameOf(identity));
  return { operator_id, created: !known };
}

/** Links a sign-in method to an account. Call it inside a transaction. */
export function linkIdentity(ctx: AppContext, operator_id: number, identity: MethodIdentity): void {
  const known = ctx.store.identities.bySubject(identity.subject);
  if (known?.operator_id === operator_id) return;
  if (known) throw methodTaken(identity);
  const { most } = ACCOUNT_LIMITS.sign_in_methods;
  if (ctx.store.identities.ofOperator(operator_id).length >= most) {
    throw new DomainError(
      'validation_failed',
      `An account can have at most ${most} sign-in methods. Unlink one first`,
    );
  }
  addIdentity(ctx, operator_id, identity);
  ctx.store.accountEvents.add({
    operator_id,
    kind: 'method_linked',
    detail: nameOf(identity),
    created_at: ctx.now().toISOString(),
  });
}

export function lastMethod(ctx: AppContext, operator_id: number): SignInMethod | null {
  return ctx.store.identities.lastUsed(operator_id)?.method ?? null;
}

export function noteSignIn(ctx: AppContext, operator_id: number, detail: string): void {
  const created_at = ctx.now().toISOString();
  ctx.store.accountEvents.add({ operator_id, kind: 'signed_in', detail, created_at });
}

function methodTaken(identity: MethodIdentity): DomainError {
  const detail = `${nameOf(identity)} is already linked to another account`;
  return new DomainError('method_taken', detail);
}

function nameOf({ method, label }: Pick<MethodIdentity, 'label' | 'method'>): string {
  return `${METHOD_NAMES[method]}: ${label}`;
}

/** A random ID, and a generated codename that is free. */
export function proposeAccount(ctx: AppContext): ProposedAccount {
  for (let tries = 0; tries < CODENAME_TRIES; tries += 1) {
    const codename = generatedCodename((limit) => randomInt(limit));
    if (isCodenameFree(ctx, codename)) return { public_id: randomUUID(), codename };
  }
  throw noCodename();
}

/** Creates an account. If its codename was taken since it was proposed, the account gets another one. */
function createAccount(
  ctx: AppContext,
  newcomer: Newcomer,
  proposed: ProposedAccount = proposeAccount(ctx),
): Operator {
  const cohort_id = admitNewcomer(ctx, newcomer);
  const { public_id } = proposed;
  const isFree = isCodenameFree(ctx, proposed.codename);
  const { codename } = isFree ? proposed : proposeAccount(ctx);
  const created_at = ctx.now().toISOString();
  const operator = ctx.store.operators.add({
    public_id,
    codename,
    created_at,
    codename_confirmed: 0,
  });
  if (!operator) throw noCodename();
  if (cohort_id !== null) ctx.store.operators.setCohort(operator.id, cohort_id);
  return operator;
}

function noCodename(): DomainError {
  return new DomainError(
    'service_unavailable',
    'The board could not generate a free codename. Try again',
  );
}

function addIdentity(
  ctx: AppContext,
  operator_id: number,
  { method, subject, label, passkey }: MethodIdentity,
): string {
  const id = randomUUID();
  const linked_at = ctx.now().toISOString();
  ctx.store.identities.add({ id, operator_id, method, subject, label, linked_at });
  if (passkey) ctx.store.passkeys.add({ ...passkey, identity_id: id });
  return id;
}

/**
 * Unlinks a sign-in method from an account. The last method cannot be unlinked, because its owner could then
 * sign in only with a link from the admin.
 */
export function unlinkMethod(ctx: AppContext, operator_id: number, id: string): void {
  const { identities, accountEvents } = ctx.store;
  ctx.store.transaction(() => {
    const methods = identities.ofOperator(operator_id);
    const method = methods.find((linked) => linked.id === id);
    if (!method)
      throw new DomainError('not_found', 'Your account does not have this sign-in method');
    if (methods.length === 1) {
      throw new DomainError('method_last', `${nameOf(method)} is your only sign-in method`);
    }
    identities.remove(id);
    const created_at = ctx.now().toISOString();
    const detail = nameOf(method);
    accountEvents.add({ operator_id, kind: 'method_unlinked', detail, created_at });
  });
}

/** The sign-in methods of an account. */
export function readAccountMethods({ store }: AppContext, operator_id: number): LinkedMethod[] {
  return store.identities.ofOperator(operator_id).map((row) => {
    const { id, method, label, linked_at, last_used_at } = row;
    return { id, method, label, linked_at, last_used_at };
  });
}

/** The most recent events of an account, newest first. */
export function readAccountEvents({ store }: AppContext, operator_id: number) {
  return store.accountEvents.ofOperator(operator_id);
}
