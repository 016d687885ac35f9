import type { LocalDevice } from '../device.ts';
import type { Identity } from '../state/keystore.ts';
import { type DiscoveredPeers, PEER_TEXTS } from '../reports.ts';
import { outboxOf } from './submit.ts';

/**
 * The peers of this device's operator on a board.
 *
 * @param limit The highest number in each group; null for the board's default.
 * @throws {Failure} if the request fails.
 */
export async function discoverPeers(
  device: Pick<LocalDevice, 'client' | 'keystore'>,
  identity: Identity,
  limit: number | null = null,
): Promise<DiscoveredPeers> {
  const query = limit === null ? {} : { limit: String(limit) };
  const peers = await device.client.peers(identity, query);
  const last = outboxOf(device, identity).lastSubmissionAt();
  const isCounted = last === null || Date.parse(last) <= Date.parse(peers.generated_at);
  const counts_from = isCounted ? null : peers.next_refresh_at;
  return { untrusted: [...PEER_TEXTS], counts_from, ...peers };
}
