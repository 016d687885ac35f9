/**
 * Returns a UUID of version 7. These begin with the time, so they sort by creation.
 *
 * @param nowMs Milliseconds since the epoch.
 * @param random 10 random bytes.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9562#section-5.7 | RFC 9562, section 5.7}
 */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  const time = nowMs.toString(16).padStart(12, '0').slice(-12);
  const rest = Array.from(random.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0'));
  const tail = rest.join('');
  const variant = (8 + ((random[2] ?? 0) & 3)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${tail.slice(0, 3)}`,
    `${variant}${tail.slice(5, 8)}`,
    tail.slice(8, 20),
  ].join('-');
}
