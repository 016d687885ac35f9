/** Student's t distribution for whole degrees of freedom. */
import { significant } from './metrics.ts';

const known = new Map<number, number>();

/** Enough bisection steps for the full precision of a double. */
const HALVINGS = 60;

/**
 * The 0.975 quantile to 12 significant digits: 95% of the distribution is between it and its negative. It is
 * rounded because JavaScript engines differ in the last digits of sines, and boards must not.
 *
 * @param freedom Degrees of freedom, an integer of at least 1.
 * @see {@link https://personal.math.ubc.ca/~cbm/aands/page_948.htm | Abramowitz and Stegun, 26.7.3 and 26.7.4}
 */
export function quantile975(freedom: number): number {
  let quantile = known.get(freedom);
  if (quantile === undefined) {
    quantile = significant(Math.sqrt(freedom) * Math.tan(angleHolding(0.95, freedom)));
    known.set(freedom, quantile);
  }
  return quantile;
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
