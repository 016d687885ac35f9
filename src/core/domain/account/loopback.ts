/** The names of this machine in URLs. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a board runs on this machine and a Host header names this machine too, perhaps by another name. */
export function isOtherName(host: string, boardHostname: string): boolean {
  return LOOPBACK_NAMES.includes(boardHostname) && isLoopbackHost(host);
}

/** Whether a Host header names this machine, with any port. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.some((name) => host === name || host.startsWith(`${name}:`));
}

/** Whether a network address is a loopback address, such as 127.0.0.5 or `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  return /^(?:localhost|::1|\[::1\]|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(address);
}
