/** Decides whether a person without an account may join the board. */
import { type JoinMode, type Proof, isExpected } from '#core/domain/account/joining.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../../context.ts';
import { sha256Hex } from '../../process/crypto.ts';
import { hostCookie } from '../cookies.ts';
import { stateOf } from './invitations.ts';

/** What speaks for a person who may not have an account yet. */
export interface Newcomer {
  /** Whether the rules of the board expect the person. */
  isExpected: boolean;
  /** The hash of the invitation that the person accepted; null without one. */
  invitationHash: string | null;
}

/** How long an accepted invitation waits for the sign-in, in seconds (one hour). */
export const ACCEPTED_SECONDS = 60 * 60;

export const invitationCookie = (baseUrl: string) => hostCookie(baseUrl, 'invitation');

/** The `Set-Cookie` value that remembers an accepted invitation in this browser. */
export function acceptInvitation(baseUrl: string, token: string): string {
  return invitationCookie(baseUrl).set(token, ACCEPTED_SECONDS);
}

/** The hash of the invitation that a browser accepted; null without one. */
export function acceptedInvitation(baseUrl: string, cookieHeader: string | null): string | null {
  const token = invitationCookie(baseUrl).read(cookieHeader);
  return token === null ? null : sha256Hex(token);
}

/** How a person without an account can join: `invited` if the browser accepted an invitation that can still be used. */
export function joiningWith(ctx: AppContext, cookieHeader: string | null): JoinMode | 'invited' {
  const hash = acceptedInvitation(ctx.config.baseUrl, cookieHeader);
  const row = hash === null ? undefined : ctx.store.invitations.byToken(hash);
  return row && stateOf(row, ctx.now()) === 'open' ? 'invited' : ctx.config.access.join;
}

/** What speaks for a person in a browser. A passkey, for example, proves nothing that a rule could ask for. */
export function newcomerOf(
  { config: { access, baseUrl } }: AppContext,
  cookieHeader: string | null,
  proof: Proof = {},
): Newcomer {
  const invitationHash = acceptedInvitation(baseUrl, cookieHeader);
  return { isExpected: isExpected(access.rules, proof), invitationHash };
}

/**
 * Uses the invitation of a newcomer, if there is one. Call it in the transaction that creates the account.
 *
 * @returns The cohort of the new account; null for none.
 * @throws {DomainError} `join_refused` if the board does not expect the person.
 */
export function admitNewcomer(ctx: AppContext, newcomer: Newcomer): string | null {
  const { invitationHash } = newcomer;
  const now = ctx.now().toISOString();
  const used = invitationHash === null ? undefined : ctx.store.invitations.use(invitationHash, now);
  if (!used) refuseUnexpected(ctx, newcomer);
  return used?.cohort_id ?? null;
}

/**
 * Rejects a person without using the invitation, before the person creates anything.
 *
 * @throws {DomainError} `join_refused`.
 */
export function refuseUninvited(ctx: AppContext, newcomer: Newcomer): void {
  const { invitationHash } = newcomer;
  const row = invitationHash === null ? undefined : ctx.store.invitations.byToken(invitationHash);
  if (!row || stateOf(row, ctx.now()) !== 'open') refuseUnexpected(ctx, newcomer);
}

function refuseUnexpected(ctx: AppContext, { isExpected, invitationHash }: Newcomer): void {
  const { join } = ctx.config.access;
  if (join === 'open' || (join === 'domain' && isExpected)) return;
  throw new DomainError('join_refused', invitationHash === null ? REFUSALS[join] : SPENT);
}

const SPENT = 'Your invitation was used up, revoked or has expired';
const REFUSALS = {
  invite: 'Only people with an invitation can join this board',
  domain: 'Only people from certain organizations, or with an invitation, can join this board',
};
