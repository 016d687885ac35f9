/** What the machine itself is called in addresses. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a Host header names the machine itself, at any port. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.some((name) => host === name || host.startsWith(`${name}:`));
}
