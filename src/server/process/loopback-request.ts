/** Who sits at the machine that the board runs on: an admin who has set nothing up yet. */
import { isIP } from 'node:net';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import type { Config } from '../config/config.ts';

export interface PeerRequest {
  request: Request;
  peer: string;
}

type BoardConfig = Pick<Config, 'host' | 'trustedProxies'> & { baseUrl: string };

/** What only a proxy sends: then the peer is not who asks. */
const FORWARDED =
  /^(?:forwarded|via|cf-connecting-ip|true-client-ip|x-client-ip|x-real-ip|x-(?:forwarded|original)-.+)$/;

/** Whether a board has no address but the machine's own, and nobody is trusted to forward to it. */
export function isLoopbackBoard({ baseUrl, host, trustedProxies }: BoardConfig): boolean {
  const { hostname } = new URL(baseUrl);
  return isLoopbackAddress(hostname) && isLoopbackAddress(host) && trustedProxies === null;
}

/**
 * Whether a request comes from this machine, for this board by its own name, and through nobody. Another
 * site's page that points its own name here has the wrong one.
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
