/** A receiver's side of Standard Webhooks, written from the specification and sharing no code with the board. */

const TOLERANCE_S = 300;

export interface WebhookRequest {
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Whether a request was signed with a secret, at about this time. */
export async function isGenuine(
  { headers, body }: WebhookRequest,
  secret: string,
  nowMs: number,
): Promise<boolean> {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (!id || id.includes('.') || !timestamp || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? [];
  const key = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const entry of signatures) {
    const [version, signature = ''] = entry.split(',');
    const bytes = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0));
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}
