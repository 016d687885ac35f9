/** Invitations: links that let people join. */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { InvitationRequest } from '#core/schema/invitation.ts';
import type { InvitationRow } from '#db/invitations.ts';
import type { Config } from '../../config/config.ts';
import type { Board } from '../../context.ts';
import { type Actor, audit } from '../../process/admin-actions.ts';
import { randomSecret, sha256Hex } from '../../process/crypto.ts';

/** How many days an invitation is kept after its end. */
const KEPT_DAYS = 90;

/** The number of invitations that lists show, newest first. */
const SHOWN = 200;

interface Inviting {
  baseUrl: string;
  cohorts: Config['signIn']['cohorts'];
  by?: Actor;
}

/**
 * Creates an invitation. Only a hash of its link is stored.
 *
 * @throws {DomainError} `validation_failed`.
 */
export function createInvitation(
  { store, now }: Board,
  input: InvitationRequest,
  { baseUrl, cohorts, by }: Inviting,
): { id: string; url: string; expires_at: string } {
  const { label, cohort_id, uses, days } = parseAs(InvitationRequest, input, 'The invitation');
  if (cohort_id !== null && !cohorts.some(({ id }) => id === cohort_id)) {
    throw new DomainError('validation_failed', `This board has no cohort "${cohort_id}"`);
  }
  const token = randomSecret();
  const id = randomUUID();
  const at = now();
  const endMs = at.getTime() + days * DAY_MS;
  const expires_at = new Date(endMs).toISOString();
  const forget_at = new Date(endMs + KEPT_DAYS * DAY_MS).toISOString();
  const row = {
    id,
    token_hash: sha256Hex(token),
    label,
    cohort_id,
    most_uses: uses,
    expires_at,
    forget_at,
  };
  store.transaction(() => {
    const operator_id = by?.operator_id ?? null;
    store.invitations.add({ ...row, operator_id, created_at: at.toISOString() });
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'invitation_create', ...about, now: at, ...(by && { by }) });
  });
  return { id, url: `${baseUrl}/invite/${token}`, expires_at };
}

/** @throws {DomainError} `not_found` or `state_conflict`. */
export function revokeInvitation({ store, now }: Board, id: string, by?: Actor): void {
  const at = now();
  store.transaction(() => {
    const row = store.invitations.byId(id);
    if (!row) throw new DomainError('not_found', `There is no invitation ${id}`);
    if (!store.invitations.revoke(id, at.toISOString())) {
      throw new DomainError('state_conflict', `The invitation ${id} is already revoked`);
    }
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'invitation_revoke', ...about, now: at, ...(by && { by }) });
  });
}

/** Why an invitation cannot be used; `open` if it can. */
export type InvitationState = 'expired' | 'open' | 'revoked' | 'used up';

export interface Invitation {
  id: string;
  label: string;
  cohort_id: string | null;
  uses: number;
  most_uses: number;
  state: InvitationState;
  /** The codename of the admin who created it; null if a command did, or the account was deleted. */
  created_by: string | null;
  created_at: string;
  expires_at: string;
}

export function listInvitations({ store, now }: Board): Invitation[] {
  return store.invitations.newest(SHOWN).map((row) => viewOf({ store, now }, row));
}

/** The invitation of a link; null if there is none. */
export function readInvitation({ store, now }: Board, token: string): Invitation | null {
  const row = store.invitations.byToken(sha256Hex(token));
  return row ? viewOf({ store, now }, row) : null;
}

function viewOf({ store, now }: Board, row: InvitationRow): Invitation {
  const { id, label, cohort_id, uses, most_uses, created_at, expires_at } = row;
  const inviter = row.operator_id === null ? undefined : store.operators.byId(row.operator_id);
  const created_by = inviter?.codename ?? null;
  const state = stateOf(row, now());
  return { id, label, cohort_id, uses, most_uses, state, created_by, created_at, expires_at };
}

export function stateOf(row: InvitationRow, now: Date): InvitationState {
  if (row.revoked_at !== null) return 'revoked';
  if (row.uses >= row.most_uses) return 'used up';
  return row.expires_at <= now.toISOString() ? 'expired' : 'open';
}
