/** Base64 with strict decoding: each sequence of bytes has exactly one encoding. */

/** Encodes bytes with the standard alphabet and padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Encodes bytes with the URL-safe alphabet, unpadded (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/** Decodes the output of {@linkcode toBase64}. Returns null for any other text. */
export function fromBase64(text: string): Uint8Array | null {
  return fromBase64After(NOTHING, text);
}

const NOTHING = new Uint8Array(0);

/** Decodes base64 and returns the bytes after `head`, in one buffer to save memory. Null if it is not canonical. */
export function fromBase64After(head: Uint8Array, text: string): Uint8Array | null {
  const length = decodedLength(text);
  // The decoder accepts the URL-safe alphabet and uses the low byte of wide characters.
  const isForeign =
    text.length % 4 > 0 ||
    text.includes('-') ||
    text.includes('_') ||
    Buffer.byteLength(text) > text.length;
  if (isForeign) return null;
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.set(head);
  if (bytes.write(text, head.length, 'base64') < length) return null;
  // Bits after the last byte must be zero. Encoding the last group again shows whether they are.
  const last = bytes.subarray(bytes.length - (length % 3 || Math.min(length, 3)));
  return text.endsWith(toBase64(last)) ? bytes : null;
}

/** The number of bytes that canonical base64 decodes to. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, (text.length / 4) * 3 - padding);
}

/** Decodes the output of {@linkcode toBase64Url}. Returns null for any other text. */
export function fromBase64Url(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return toBase64Url(bytes) === text ? bytes : null;
}
