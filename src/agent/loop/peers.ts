import type { Device } from '../device.ts';
import type { Identity } from '../kept/keystore.ts';
import { type DiscoveredPeers, PEER_TEXTS } from '../reports.ts';

/**
 * Whom the operator of this device can be compared with on a board.
 *
 * @param limit The most of each group; the board's default if null.
 * @throws {Failure} if the board cannot be asked or says no.
 */
export async function discoverPeers(
  { client }: Pick<Device, 'client'>,
  identity: Identity,
  limit: number | null = null,
): Promise<DiscoveredPeers> {
  const peers = await client.peers(identity, limit === null ? {} : { limit: String(limit) });
  return { untrusted: [...PEER_TEXTS], ...peers };
}
