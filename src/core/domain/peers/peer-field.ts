/**
 * All operators who are ranked by yield in 90 days over all tools, in columns: whom each of them can be
 * compared with is looked for again and again.
 *
 * @module
 */
import type { ClassTier } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';

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

/** The numbers of a shape: input, output and cache_read, over the buckets that report cache reads. */
export const SHAPE_LENGTH = 3;

/** Added to each count, because 0 has no logarithm. */
const HALF_A_TOKEN = 0.5;

/** Writes the centred log-ratio of each shape, from counts of which each has `SHAPE_LENGTH`. */
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
 * How far apart the shapes with two indexes are, from their centred log-ratios: shares of a whole are compared by ratios,
 * so in logarithms.
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
 * ln(output / cache_read) of the shape with an index, what is left of it once yield is taken out; not
 * finite where either is 0.
 */
export function outputPerRead(counts: Float64Array, index: number): number {
  const at = index * SHAPE_LENGTH;
  return Math.log((counts[at + 1] as number) / (counts[at + 2] as number));
}
