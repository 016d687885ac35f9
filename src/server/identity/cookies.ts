import { createHmac, timingSafeEqual } from 'node:crypto';

interface HostCookie {
  name: string;
  read(header: string | null): string | null;
  set(value: string, seconds: number): string;
}

/** A cookie of the board. It is Lax because an external provider sends the browser back from another site. */
export function hostCookie(baseUrl: string, name: string): HostCookie {
  const isSecure = baseUrl.startsWith('https:');
  const fullName = isSecure ? `__Host-${name}` : name;
  const secure = isSecure ? '; Secure' : '';
  return {
    name: fullName,
    read: (header) => readCookie(header, fullName),
    set: (value, seconds) =>
      `${fullName}=${value}; HttpOnly; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`,
  };
}

/**
 * The value of a cookie, or null if the provider's signature of it is missing or wrong.
 *
 * @see {@link https://github.com/crypto-utils/keygrip | keygrip}, which signs its cookies.
 */
export function readSignedCookie(header: string | null, name: string, key: string): string | null {
  const value = readCookie(header, name);
  const signature = Buffer.from(readCookie(header, `${name}.sig`) ?? '');
  const due = createHmac('sha1', key).update(`${name}=${value}`).digest('base64url');
  const isSigned = signature.length === due.length && timingSafeEqual(signature, Buffer.from(due));
  return isSigned ? value : null;
}

/** The value of a cookie in a `Cookie` header; null if it is missing or appears more than once. */
export function readCookie(header: string | null, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
  const [only] = values;
  return values.length === 1 && only !== undefined ? only.slice(name.length + 1) : null;
}
