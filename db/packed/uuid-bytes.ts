const CANONICAL = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The 16 bytes of a UUID in canonical text. Any other text stays as it is. */
export function uuidBytes(text: string): Buffer | string {
  return CANONICAL.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;
}

/** The text of a stored UUID. */
export function uuidText(stored: Uint8Array | string): string {
  if (typeof stored === 'string') return stored;
  const { buffer, byteOffset, length } = stored;
  const hex = Buffer.from(buffer, byteOffset, length).toString('hex');
  const ends = [8, 12, 16, 20];
  return [...ends, 32].map((end, at) => hex.slice(at === 0 ? 0 : ends[at - 1], end)).join('-');
}
