/**
 * How far apart the shapes of two operators' tokens are. Shares of a whole are compared by ratios, so in
 * logarithms.
 *
 * @see {@link https://doi.org/10.1111/j.2517-6161.1982.tb01195.x | Aitchison 1982}
 * @module
 */

/** The numbers of a shape: input, output and cache_read, over the buckets that report cache reads. */
export const SHAPE_LENGTH = 3;

/** Added to each count, because 0 has no logarithm. */
const HALF_A_TOKEN = 0.5;

/** Writes the centred log-ratio of each shape, from counts of which each has `SHAPE_LENGTH`. */
export function centredLogRatios(counts: Float64Array): Float64Array {
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

/** The Aitchison distance of the shapes with two indexes, from their centred log-ratios. */
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
