/** Days on which several devices report the same responses. */
import type { Bucket } from '#core/schema/usage.ts';
import { bucketsOfDays } from './builders.ts';
import { fingerprintOfResponses } from './fingerprints.ts';

/** The counts that each of about 100 responses of a day adds. If a day counts too much, its metrics differ. */
const EACH = { input: 100, output: 1_000, cache_write: 500 };

/** A day's responses from one number up to another. Each day has different responses. */
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

/** A synced folder, a copy of an earlier state, a copy that continued, and two independent folders. */
const SCENES: readonly Scene[] = [
  [[0, 100], [0, 100], 100],
  [[0, 60], [0, 100], 100],
  [[0, 13], [7, 20], 20],
  [[0, 50], [50, 90], 90],
];

/** Days as two devices report them, and the number of responses on each. */
export const TWO_DEVICES = bucketsOfDays(12, '2026-02-26').map(({ day }, index) => {
  const [first, second, responses] = SCENES[index % SCENES.length] as Scene;
  return { day, first: stretch(day, ...first), second: stretch(day, ...second), responses };
});
