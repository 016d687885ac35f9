import { significant } from '../metrics/metrics.ts';

/** A candidate, by its index, and its score. */
export interface Scored {
  at: number;
  score: number;
}

/** More than rounding to 12 significant digits can move a score. */
const ROUNDING = 1e-9;

/**
 * The candidates of the lowest scores, in one pass. Scores are compared to 12 significant digits; equal
 * ones keep the order of the candidates.
 *
 * @param count How many candidates there are.
 * @param scoreOf NaN for one who is not meant, infinite for one who comes last.
 */
export function nearest(count: number, limit: number, scoreOf: (at: number) => number): Scored[] {
  const found: Scored[] = [];
  for (let at = 0; at < count; at += 1) {
    const raw = scoreOf(at);
    const last = found.length < limit ? null : (found.at(-1) as Scored).score;
    if (Number.isNaN(raw) || (last !== null && raw > last + ROUNDING * Math.abs(last))) continue;
    const score = Number.isFinite(raw) ? significant(raw) : raw;
    const place = found.findLastIndex((known) => known.score <= score) + 1;
    if (place < limit) found.splice(place, 0, { at, score });
    if (found.length > limit) found.pop();
  }
  return found;
}
