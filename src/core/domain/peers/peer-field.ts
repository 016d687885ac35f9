/**
 * All operators who are ranked by yield over 90 days and all tools, stored in columns for fast repeated searches for
 * peers.
 *
 * @module
 */
import type { ClassTier } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';

/** The two factors of yield. */
export type Side = 'leverage' | 'velocity';

export interface PeerCandidate {
  codename: string;
  display_name: string | null;
  class_tier: ClassTier;
  /** Whether the operator has a public page. Only those can be peers of others. */
  isOpen: boolean;
  /** Rank by yield. */
  rank: number;
  /** The sums over the buckets that report cache reads. */
  counts: Pillars;
  /** The conservative value of each metric; NaN if not ranked by it. */
  conservative: Record<Side, number>;
  /** Most tokens first. */
  tools: readonly string[];
}

/** The columns needed for choosing peers. Other data of a candidate is read once it is chosen. */
export interface PeerColumns {
  size: number;
  /** The candidate with an index. Candidates are in the order of their codenames. */
  candidate: (at: number) => PeerCandidate;
  /** The index of each candidate's class in `CLASS_TIERS`. */
  tiers: Uint8Array;
  isOpen: Uint8Array;
  /** The shape of each candidate: `SHAPE_LENGTH` counts. */
  counts: Float64Array;
  conservative: Record<Side, Float64Array>;
  /** The distinct lists of tools, and the index of each candidate's list. */
  toolLists: readonly (readonly string[])[];
  toolsOf: Uint32Array;
  /** The conservative values of all ranked operators by each metric, candidates or not, best first. */
  ranked: Record<Side, Float64Array>;
}

export interface PeerField extends PeerColumns {
  /** The centered log-ratio of each shape. */
  ratios: Float64Array;
}

export function peerFieldOf(columns: PeerColumns): PeerField {
  return { ...columns, ratios: centredLogRatios(columns.counts) };
}

/** The length of a shape: input, output and cache_read, over the buckets that report cache reads. */
export const SHAPE_LENGTH = 3;

/** Added to each count, because 0 has no logarithm. */
const HALF_A_TOKEN = 0.5;

/** The centered log-ratios of shapes, each of which has `SHAPE_LENGTH` counts. */
function centredLogRatios(counts: Float64Array): Float64Array {
  const ratios = new Float64Array(counts.length);
  for (let shape = 0; shape < counts.length; shape += SHAPE_LENGTH) {
    let sum = 0;
    for (let at = shape; at < shape + SHAPE_LENGTH; at += 1) {
      const log = Math.log((counts[at] as number) + HALF_A_TOKEN);
      ratios[at] = log;
      sum += log;
    }
    for (let at = shape; at < shape + SHAPE_LENGTH; at += 1) {
      ratios[at] = (ratios[at] as number) - sum / SHAPE_LENGTH;
    }
  }
  return ratios;
}

/**
 * The distance of two shapes, from their centered log-ratios. Shares of a whole are compared by ratios, and so in
 * logarithms.
 *
 * @see {@link https://doi.org/10.1111/j.2517-6161.1982.tb01195.x | Aitchison 1982}
 */
export function aitchisonDistance(ratios: Float64Array, a: number, b: number): number {
  let squares = 0;
  for (let at = 0; at < SHAPE_LENGTH; at += 1) {
    const ofA = ratios[a * SHAPE_LENGTH + at] as number;
    const ofB = ratios[b * SHAPE_LENGTH + at] as number;
    squares += (ofA - ofB) ** 2;
  }
  return Math.sqrt(squares);
}

/**
 * ln(output / cache_read) of a shape: the part of it that is independent of yield. Not finite if either is 0.
 */
export function outputPerRead(counts: Float64Array, index: number): number {
  const at = index * SHAPE_LENGTH;
  return Math.log((counts[at + 1] as number) / (counts[at + 2] as number));
}
