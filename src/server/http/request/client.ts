import { type BlockList, isIP } from 'node:net';

/** An IPv4 address as IPv6 writes it, dotted or in hex. */
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/**
 * The address that a request comes from: the socket's, or what trusted proxies say in
 * X-Forwarded-For. Each proxy adds the address that it heard from at the right end, so the list is
 * read from there, and only as far as proxies are trusted.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: BlockList | null,
): string {
  if (proxies === null || forwardedFor === undefined || !isAmong(proxies, peer)) return peer;
  let client = peer;
  for (const hop of forwardedFor.split(',').reverse()) {
    const address = withoutPort(hop.trim());
    if (isIP(address) === 0) return client;
    client = address;
    if (!isAmong(proxies, address)) return client;
  }
  return client;
}

/** What a client's windows are counted by: its address, or an IPv6 network of 64 bits. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = mappedAddress(address);
  if (mapped !== null) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const network = [...groups, ...zeros, ...rest].slice(0, 4);
  return network.map((group) => parseInt(group, 16).toString(16)).join(':');
}

/** Some gateways add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1');
}

function isAmong(proxies: BlockList, address: string): boolean {
  return proxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** The IPv4 address that an IPv6 one stands for, or null. */
function mappedAddress(address: string): string | null {
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return null;
  const bits = (parseInt(high, 16) << 16) | parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
