import { BlockList, isIP } from 'node:net';

/** What the word `loopback` stands for. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * The proxies that a list names: addresses, networks such as `10.0.0.0/8`, and `loopback`, with
 * commas in between. Null for an empty list.
 *
 * @throws {RangeError} naming what is none of these.
 */
export function readProxies(list: string): BlockList | null {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => name === '')) return null;
  const proxies = new BlockList();
  for (const name of names.flatMap((name) => (name === 'loopback' ? LOOPBACK : [name]))) {
    addProxy(proxies, name);
  }
  return proxies;
}

function addProxy(proxies: BlockList, name: string): void {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(name) ?? [];
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  if (version === 0 || address.includes('%') || Number(bits ?? 0) > width) {
    const detail = `"${name}" is no address, no network such as 10.0.0.0/8, and not loopback`;
    throw new RangeError(detail);
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  proxies.addSubnet(address, Number(bits ?? width), family);
}
