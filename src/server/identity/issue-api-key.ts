import { parseAs } from '#core/domain/text/faults.ts';
import { OwnLabel } from '#core/schema/scalars.ts';
import { audit } from '../process/audit.ts';
import type { AppContext } from '../context.ts';
import { makeApiKey } from './api-keys.ts';

export interface ApiKeyRequest {
  /** Whom or what it is for, as the keeper's list shows it. */
  label: string;
  /** Requests that it allows in a minute. */
  per_minute: number;
  now: Date;
}

/**
 * Makes an API key and returns its text, of which only a hash is kept.
 *
 * @throws {DomainError} `validation_failed` if the label does not serve.
 */
export function issueApiKey(store: AppContext['store'], request: ApiKeyRequest): string {
  const label = parseAs(OwnLabel, request.label, 'The label');
  const { text, ...key } = makeApiKey();
  const { per_minute, now } = request;
  store.transaction(() => {
    store.apiKeys.add({ ...key, label, per_minute, created_at: now.toISOString() });
    audit(store, { action: 'key_issue', subject: key.id, operator_id: null, reason: label, now });
  });
  return text;
}
