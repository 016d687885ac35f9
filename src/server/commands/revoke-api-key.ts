import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';

/**
 * Revokes an API key; from now on it is refused. Revoking it again changes nothing.
 *
 * @throws {DomainError} `not_found` if there is no such key.
 */
export function revokeApiKey(store: AppContext['store'], id: string, now: Date): void {
  if (store.apiKeys.revoke(id, now.toISOString())) return;
  throw new DomainError('not_found', `There is no API key with the id "${id}"`);
}
