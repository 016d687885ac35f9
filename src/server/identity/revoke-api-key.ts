import { DomainError } from '#core/domain/text/errors.ts';
import { audit } from '../process/audit.ts';
import type { AppContext } from '../context.ts';

/**
 * Revokes an API key; from now on it is refused. Revoking it again changes nothing.
 *
 * @throws {DomainError} `not_found` if there is no such key.
 */
export function revokeApiKey(store: AppContext['store'], id: string, now: Date): void {
  store.transaction(() => {
    if (!store.apiKeys.revoke(id, now.toISOString())) {
      throw new DomainError('not_found', `There is no API key with the id "${id}"`);
    }
    audit(store, { action: 'key_revoke', subject: id, operator_id: null, reason: null, now });
  });
}
