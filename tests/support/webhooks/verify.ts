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
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  if (!/^[^.]+$/.test(id) || !isRecent(timestamp, nowMs)) return false;
  const key = await keyOf(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const entry of (headers['webhook-signature'] ?? '').split(' ')) {
    const [version, signature = ''] = entry.split(',');
    if (version !== 'v1') continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return true;
  }
  return false;
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d+$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_S;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? [];
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytesOf(encoded), algorithm, false, ['verify']);
}

function bytesOf(base64: string) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
