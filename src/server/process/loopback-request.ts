/** Who sits at the machine that the board runs on: a keeper who has set nothing up yet. */
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';

/** A request, and the address at the other end of its connection. */
export interface Visit {
  request: Request;
  peer: string;
}

type BoardConfig = Pick<Config, 'host' | 'trustedProxies'> & { baseUrl: string };

/** What only a proxy sends: then the peer is not who asks. */
const FORWARDED =
  /^(?:forwarded|via|cf-connecting-ip|true-client-ip|x-client-ip|x-real-ip|x-(?:forwarded|original)-.+)$/;

/** Whether a board has no address but the machine's own, and nobody is trusted to forward to it. */
export function isLocalBoard({ baseUrl, host, trustedProxies }: BoardConfig): boolean {
  return isLoopback(new URL(baseUrl).hostname) && isLoopback(host) && trustedProxies === null;
}

/**
 * Whether a request comes from this machine, for this board by its own name, and through nobody. Another
 * site's page that points its own name here has the wrong one.
 */
export function isLocalVisit(config: BoardConfig, { request, peer }: Visit): boolean {
  const { headers } = request;
  return (
    isLocalBoard(config) &&
    isIP(peer) !== 0 &&
    isLoopback(peer) &&
    headers.get('host') === new URL(config.baseUrl).host &&
    ![...headers.keys()].some((name) => FORWARDED.test(name))
  );
}

function isLoopback(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1' || address === 'localhost';
}
