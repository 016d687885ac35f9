/** The value of a cookie in a `Cookie` header, or null; two of one name are none. */
export function readCookie(header: string | null, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
  const [only] = values;
  return values.length === 1 && only !== undefined ? only.slice(name.length + 1) : null;
}
