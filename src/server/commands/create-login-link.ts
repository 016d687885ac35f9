import { randomUUID } from 'node:crypto';
import { isReserved } from '#core/domain/codename.ts';
import { DomainError } from '#core/domain/errors.ts';
import { parseAs } from '#core/domain/faults.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { randomSecret, sha256Hex } from '../identity/crypto.ts';

/** How long a link can be used, in milliseconds (15 minutes). */
const LINK_TTL_MS = 15 * 60 * 1000;

export interface LoginLinkRequest {
  codename: string;
  /** Whether to make the account, or to expect it. */
  create: boolean;
  baseUrl: string;
  now: Date;
}

/**
 * Makes a one-time sign-in URL for an operator.
 *
 * @throws {DomainError} `validation_failed`, `codename_taken` or `codename_unknown` if the codename does not serve.
 */
export function createLoginLink(store: AppContext['store'], request: LoginLinkRequest): string {
  const codename = parseAs(Codename, request.codename, 'The codename');
  const created_at = request.now.toISOString();
  const token = randomSecret();
  store.transaction(() => {
    if (request.create && isReserved(codename)) {
      throw new DomainError('codename_taken', `The codename "${codename}" is reserved`);
    }
    const operator = request.create
      ? store.operators.add({ public_id: randomUUID(), codename, created_at })
      : store.operators.byCodename(codename);
    if (!operator && request.create) {
      throw new DomainError('codename_taken', `The codename "${codename}" is taken`);
    }
    if (!operator) {
      throw new DomainError('codename_unknown', `No operator has the codename "${codename}"`);
    }
    store.loginLinks.add({
      token_hash: sha256Hex(token),
      operator_id: operator.id,
      created_at,
      expires_at: new Date(request.now.getTime() + LINK_TTL_MS).toISOString(),
    });
  });
  return `${request.baseUrl}/login/link?token=${token}`;
}
