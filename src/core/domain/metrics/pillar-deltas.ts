/** Where the difference between two yields comes from. */
import type { PillarDeltas, YieldPillar, ZeroShare } from '#core/schema/peer.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { totalOf } from '../counting/bucket.ts';
import { plainMetric } from './metrics.ts';

/** How often each pillar's share stands in yield = r x o / i^2. */
const POWERS: Readonly<Record<YieldPillar, number>> = { cache_read: 1, output: 1, input: -2 };
const PILLARS = Object.keys(POWERS) as YieldPillar[];

/** Finer than 12 significant digits, so that three of them still add up within 1e-12. */
const DECIMALS = 13;

/**
 * ln(yield of the peer / yield of the caller) as a sum over the pillars' shares, or the share of 0 that
 * makes it undefined.
 *
 * @param caller The sums over the buckets that report cache reads, and so of the peer.
 */
export function pillarDeltas(
  caller: Pillars,
  peer: Pillars,
): { deltas: PillarDeltas; zero_share: null } | { deltas: null; zero_share: ZeroShare } {
  const zero = PILLARS.find((pillar) => !caller[pillar] || !peer[pillar]);
  if (zero !== undefined) {
    const whose = caller[zero] ? 'peer' : peer[zero] ? 'caller' : 'both';
    return { deltas: null, zero_share: { whose, pillar: zero } };
  }
  const ofTotals = totalOf(caller) / totalOf(peer);
  const deltaOf = (pillar: YieldPillar) => {
    const ofPillars = (peer[pillar] as number) / (caller[pillar] as number);
    return rounded(POWERS[pillar] * Math.log(ofPillars * ofTotals));
  };
  const deltas = {
    cache_read: deltaOf('cache_read'),
    output: deltaOf('output'),
    input: deltaOf('input'),
    total: rounded(Math.log(plainMetric('yield', peer) / plainMetric('yield', caller))),
  };
  return { deltas, zero_share: null };
}

/** Adding 0 makes a negative zero a plain one. */
function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS)) + 0;
}
