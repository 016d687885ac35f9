/**
 * Signatures of webhooks.
 *
 * @see {@link https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md | Standard Webhooks}
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface SignedMessage {
  id: string;
  body: string;
  /** The instant of this attempt. */
  now: Date;
  /** Several while a secret is replaced. A receiver accepts a request if one signature is valid. */
  secrets: readonly string[];
}

/** The headers that identify and authenticate a request. */
export function signedHeaders({ id, body, now, secrets }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
