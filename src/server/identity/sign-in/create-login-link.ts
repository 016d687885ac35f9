import { randomUUID } from 'node:crypto';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { Codename } from '#core/schema/scalars.ts';
import { codenameTaken, isCodenameFree } from '#server/operator/codenames.ts';
import { audit } from '#server/process/audit.ts';
import type { AppContext } from '#server/context.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';

/** How long a link can be used, in milliseconds (15 minutes). */
export const LINK_TTL_MS = 15 * 60 * 1000;

export interface LoginLinkRequest {
  codename: string;
  /** Whether to make the account, or to expect it. */
  create: boolean;
  baseUrl: string;
  now: Date;
}

/**
 * Makes a one-time sign-in URL for an operator, who sees in the settings that it was made.
 *
 * @throws {DomainError} `validation_failed`, `codename_taken` or `codename_unknown` if the codename does not serve.
 */
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
    const detail = 'Made by the keeper';
    store.accountEvents.add({ operator_id, kind: 'login_link_created', detail, created_at });
    const { now } = request;
    audit(store, { action: 'login_link', subject: codename, operator_id, reason: null, now });
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
