/** What the machine itself is called in addresses. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a Host header names the machine itself where a board is on it, though perhaps not as the board calls it. */
export function isOtherName(host: string, boardHostname: string): boolean {
  return LOOPBACK_NAMES.includes(boardHostname) && isLoopbackHost(host);
}

/** Whether a Host header names the machine itself, at any port. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.some((name) => host === name || host.startsWith(`${name}:`));
}

/** Whether a connection to or from an address stays on the machine, such as 127.0.0.5 or `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  return /^(?:localhost|::1|\[::1\]|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(address);
}
