/**
 * The domain to which a board's passkeys belong; null if browsers do not allow passkeys at its address. They require
 * a host name, and HTTPS unless the name is `localhost`.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#relying-party-identifier | Web Authentication, RP ID}
 */
export function passkeyDomain(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return !isAddress && (protocol === 'https:' || isLocal) ? hostname : null;
}
