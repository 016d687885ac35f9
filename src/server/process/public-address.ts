/** Which addresses are on the public Internet, so that a URL from elsewhere cannot reach a private network. */
import { BlockList, type LookupFunction, isIP } from 'node:net';

/** A lookup that returns the addresses that were checked, without a query. */
export function lookupAmong(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = known;
  return (_, { all }, callback) => {
    if (all) callback(null, known);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/**
 * IPv4 networks that are not part of the public Internet: this network, private, shared by a carrier, loopback,
 * link-local, documentation, 6to4 relays, benchmarks, multicast, reserved.
 *
 * @see {@link https://www.iana.org/assignments/iana-ipv4-special-registry | IANA's registry}
 */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** IANA's global unicast range. It excludes IPv4-mapped, NAT64, unique-local, link-local and multicast addresses. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/**
 * Special networks within that range: protocols such as Teredo, documentation, 6to4, AS112.
 *
 * @see {@link https://www.iana.org/assignments/iana-ipv6-special-registry | IANA's registry}
 */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const specialIpv4 = new BlockList();
for (const [network, bits] of SPECIAL_IPV4) specialIpv4.addSubnet(network, bits, 'ipv4');
const specialIpv6 = new BlockList();
for (const [network, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(network, bits, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Whether an address belongs to the public Internet. Returns false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
