/** Days of one tool, and what they show about its yield. */
import { dayNumber } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { improvementsOf } from '#core/domain/peers/improve.ts';
import { Diagnosis, type NextClass } from '#core/schema/improvement.ts';
import type { Pillars } from '#core/schema/usage.ts';

export const TO = dayNumber('2026-03-10');
export const GOOD: Pillars = {
  input: 1000,
  output: 4000,
  cache_write: 20_000,
  cache_read: 400_000,
};

/** One tool's day, this many days before the last. */
export function aDay(
  ago: number,
  over: Partial<Pillars> = {},
  model = 'opus',
  tool = 'cli',
): DayUsage {
  const source = { tool, provider: 'acme', model, trust: 'signed' } as const;
  return { ...GOOD, ...over, day: TO - ago, source };
}

/** Thirty days, of which every third one differs. */
export function thirty(over: Partial<Pillars>): DayUsage[] {
  return Array.from({ length: 30 }, (_, ago) => aDay(ago, ago % 3 === 0 ? over : {}));
}

export function diagnose(
  usage: readonly DayUsage[],
  nextClass: NextClass | null = null,
): Diagnosis {
  const span = { first: TO - 89, last: TO, rules: { active_day_tokens: 10_000 } };
  return Diagnosis.parse(improvementsOf({ usage, ...span, nextClass }));
}
