/**
 * All operators who are ranked by yield in 90 days over all tools, in columns: whom each of them can be
 * compared with is looked for again and again.
 *
 * @module
 */
import type { ClassTier } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { CLASS_TIERS } from '../metrics/class-tier.ts';
import { SHAPE_LENGTH, centredLogRatios } from './shape-distance.ts';

/** The two facts that yield is made of. */
export type Side = 'leverage' | 'velocity';

export interface PeerCandidate {
  codename: string;
  display_name: string | null;
  class_tier: ClassTier;
  /** Whether anyone can visit the operator's page; only such can be peers of others. */
  isOpen: boolean;
  /** By yield. */
  rank: number;
  /** The sums over the buckets that report cache reads. */
  counts: Pillars;
  /** The lower end of each interval; NaN for who is not ranked by that metric. */
  conservative: Record<Side, number>;
  /** Most tokens first. */
  tools: readonly string[];
}

/** What choosing needs of all; the rest of a candidate is read when it is chosen. */
export interface PeerColumns {
  size: number;
  /** The candidate of an index; they stand in the order of their codenames. */
  candidate: (at: number) => PeerCandidate;
  /** The place of each one's class in `CLASS_TIERS`. */
  tiers: Uint8Array;
  isOpen: Uint8Array;
  /** The shape of each: `SHAPE_LENGTH` counts. */
  counts: Float64Array;
  conservative: Record<Side, Float64Array>;
  /** The different lists of tools, and which of them each candidate has. */
  toolLists: readonly (readonly string[])[];
  toolsOf: Uint32Array;
  /** The lower ends of all who are ranked by each metric, candidates or not, best first. */
  ranked: Record<Side, Float64Array>;
}

export interface PeerField extends PeerColumns {
  /** The centred log-ratio of each shape. */
  ratios: Float64Array;
}

export function peerFieldOf(columns: PeerColumns): PeerField {
  return { ...columns, ratios: centredLogRatios(columns.counts) };
}

/** The field of some candidates, in the order of codenames, among whom all rank. */
export function fieldOfCandidates(candidates: readonly PeerCandidate[]): PeerField {
  const size = candidates.length;
  const counts = new Float64Array(size * SHAPE_LENGTH);
  candidates.forEach(({ counts: { input, output, cache_read } }, at) => {
    counts.set([input, output, cache_read ?? 0], at * SHAPE_LENGTH);
  });
  const conservativeBy = (side: Side) =>
    Float64Array.from(candidates, ({ conservative }) => conservative[side]);
  const conservative = {
    leverage: conservativeBy('leverage'),
    velocity: conservativeBy('velocity'),
  };
  const rankedBy = (side: Side) =>
    conservative[side].filter((low) => !Number.isNaN(low)).sort((a, b) => b - a);
  return peerFieldOf({
    size,
    candidate: (at) => candidates[at] as PeerCandidate,
    tiers: Uint8Array.from(candidates, ({ class_tier }) => {
      return CLASS_TIERS.findIndex((tier) => tier === class_tier);
    }),
    isOpen: Uint8Array.from(candidates, ({ isOpen }) => (isOpen ? 1 : 0)),
    counts,
    conservative,
    toolLists: candidates.map(({ tools }) => tools),
    toolsOf: Uint32Array.from(candidates.keys()),
    ranked: { leverage: rankedBy('leverage'), velocity: rankedBy('velocity') },
  });
}
