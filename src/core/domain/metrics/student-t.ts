/** Student's t distribution. */
import { significant } from './metrics.ts';

/** Quantiles by share, then by degrees of freedom. */
const known = new Map<number, Map<number, number>>();

/** Enough bisection steps for the full precision of a double. */
const HALVINGS = 60;

/**
 * The 0.975 quantile to 12 significant digits: 95% of the distribution is between it and its negative.
 *
 * @param freedom Degrees of freedom, an integer of at least 1.
 */
export function quantile975(freedom: number): number {
  return wholeQuantile(0.95, freedom);
}

/**
 * The number that a share of the distribution lies between, with its negative. Between whole degrees of freedom, it is
 * interpolated linearly in 1 / freedom, with a relative error below 0.0012.
 *
 * @param share Above 0 and below 1.
 * @param freedom Degrees of freedom, at least 1.
 */
export function quantile(share: number, freedom: number): number {
  const below = Math.floor(freedom);
  const low = wholeQuantile(share, below);
  if (below === freedom) return low;
  const part = ((below + 1) * (freedom - below)) / freedom;
  return low + (wholeQuantile(share, below + 1) - low) * part;
}

/**
 * For whole degrees of freedom, to 12 significant digits. It is rounded because JavaScript engines differ in the last
 * digits of sines, and boards must not.
 *
 * @see {@link https://personal.math.ubc.ca/~cbm/aands/page_948.htm | Abramowitz and Stegun, 26.7.3 and 26.7.4}
 */
function wholeQuantile(share: number, freedom: number): number {
  let ofShare = known.get(share);
  if (!ofShare) known.set(share, (ofShare = new Map()));
  let found = ofShare.get(freedom);
  if (found === undefined) {
    found = significant(Math.sqrt(freedom) * Math.tan(angleHolding(share, freedom)));
    ofShare.set(freedom, found);
  }
  return found;
}

/** The angle a with P(|T| <= sqrt(freedom) tan a) = share, by bisection. The share grows with the angle. */
function angleHolding(share: number, freedom: number): number {
  let low = 0;
  let high = Math.PI / 2;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, freedom) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(|T| <= sqrt(freedom) tan angle), a sum over every second power of the cosine. */
function shareWithin(angle: number, freedom: number): number {
  const cosine = Math.cos(angle);
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= freedom - 2; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    sum += term;
  }
  const share = sum * Math.sin(angle);
  return isOdd ? (2 / Math.PI) * (angle + share) : share;
}
