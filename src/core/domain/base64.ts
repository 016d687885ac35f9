/** Base64 of bytes, decoded strictly: one text for one sequence of bytes. */

/** Encodes bytes with the standard alphabet and padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Encodes bytes with the URL-safe alphabet, unpadded (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/** Decodes what {@linkcode toBase64} made; null for any other text. */
export function fromBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return toBase64(bytes) === text ? bytes : null;
}

/** Decodes what {@linkcode toBase64Url} made; null for any other text. */
export function fromBase64Url(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return toBase64Url(bytes) === text ? bytes : null;
}
