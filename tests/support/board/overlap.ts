/** Days of which several devices state the same responses. */
import type { Bucket } from '#core/schema/usage.ts';
import { bucketsOfDays } from './builders.ts';
import { fingerprintOfResponses } from './fingerprints.ts';

/** What each of the 100 or so responses of a day adds; on a day that counts more than it should, metrics differ. */
const EACH = { input: 100, output: 1_000, cache_write: 500 };

/** A day's responses from one number up to another: of each day others. */
export function stretch(day: string, from: number, to: number): Bucket {
  const number = Date.parse(day) / 86_400_000;
  const seed = number * 1_000;
  const each = Object.entries({ ...EACH, cache_read: 1_000 * (10 + (number % 7)) });
  const pillars = each.map(([name, count]) => [name, count * (to - from)] as const);
  const fingerprint = fingerprintOfResponses(seed + from, seed + to);
  const [bucket] = bucketsOfDays(1, day, { ...Object.fromEntries(pillars), fingerprint });
  return bucket as Bucket;
}

type Scene = [first: [number, number], second: [number, number], responses: number];

/** One folder that is synced, one that is a copy of an earlier state, one that was copied and went on, and two of their own. */
const SCENES: readonly Scene[] = [
  [[0, 100], [0, 100], 100],
  [[0, 60], [0, 100], 100],
  [[0, 13], [7, 20], 20],
  [[0, 50], [50, 90], 90],
];

/** Days as two devices state them, and how many responses there were on each. */
export const TWO_DEVICES = bucketsOfDays(12, '2026-02-26').map(({ day }, index) => {
  const [first, second, responses] = SCENES[index % SCENES.length] as Scene;
  return { day, first: stretch(day, ...first), second: stretch(day, ...second), responses };
});
