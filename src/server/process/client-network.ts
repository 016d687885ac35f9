/**
 * What rare requests are counted by: an IPv4 address, or an IPv6 network of 56 bits, which is what one
 * connection usually gets. Most limits count by 64 bits, of which such a network has 256.
 *
 * @param client An IPv4 address, or the first four groups of an IPv6 address.
 */
export function networkOf(client: string): string {
  if (!client.includes(':')) return client;
  const groups = client.split(':');
  const last = parseInt(groups[3] ?? '0', 16) & 0xff00;
  return [...groups.slice(0, 3), last.toString(16)].join(':');
}
