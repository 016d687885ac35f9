/** Recognizes requests from the machine that the board runs on, such as an admin's before anything is configured. */
import { isIP } from 'node:net';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import type { Config } from '../config/config.ts';

export interface PeerRequest {
  request: Request;
  peer: string;
}

type BoardConfig = Pick<Config, 'host' | 'trustedProxies'> & { baseUrl: string };

/** Headers that only a proxy sends. With one of them, the peer is not the client. */
const FORWARDED =
  /^(?:forwarded|via|cf-connecting-ip|true-client-ip|x-client-ip|x-real-ip|x-(?:forwarded|original)-.+)$/;

/** Returns whether a board has only a loopback address and no trusted proxies. */
export function isLoopbackBoard({ baseUrl, host, trustedProxies }: BoardConfig): boolean {
  const { hostname } = new URL(baseUrl);
  return isLoopbackAddress(hostname) && isLoopbackAddress(host) && trustedProxies === null;
}

/**
 * Returns whether a request comes directly from this machine and names this board as its host. If another site points
 * its own host name at this machine, the name differs.
 */
export function isLoopbackRequest(config: BoardConfig, { request, peer }: PeerRequest): boolean {
  const { headers } = request;
  return (
    isLoopbackBoard(config) &&
    isIP(peer) !== 0 &&
    isLoopbackAddress(peer) &&
    headers.get('host') === new URL(config.baseUrl).host &&
    ![...headers.keys()].some((name) => FORWARDED.test(name))
  );
}
