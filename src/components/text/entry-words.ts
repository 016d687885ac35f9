import type { BoardTrust, ClassTier, Movement, UnrankedReason } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { PILLARS, PILLAR_LABELS } from '../../charts/labels.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { shareText } from '../../charts/numbers.ts';
import { NONE, capitalised, count, whole } from './format.ts';

/** Signed counts are the rule; only the exceptions are marked. */
const TRUST: Readonly<Record<BoardTrust, string | null>> = {
  signed: null,
  mixed: 'partly signed',
  self_reported: 'not signed',
};

export function trustText(trust: BoardTrust): string | null {
  return TRUST[trust];
}

/** The name of a class; null for unclassed operators. */
export function classText(class_tier: ClassTier): string | null {
  if (class_tier === 'unclassed') return null;
  return capitalised(class_tier);
}

/**
 * The rank range; null if it is a single rank.
 *
 * @example `1\u20135`
 */
export function rangeText([best, worst]: readonly [number, number]): string | null {
  return best === worst ? null : `${whole(best)}\u2013${whole(worst)}`;
}

/** Places gained or lost since the day before, as a sign and in words; null for no change. */
export function movedText({ day, week }: Movement): { sign: string; words: string } | null {
  if (day === null || day === 0) return null;
  const ofWeek = week === null || week === 0 ? '' : `, ${places(week)} in seven days`;
  const sign = `${day > 0 ? '\u2191' : '\u2193'}\u00a0${whole(Math.abs(day))}`;
  return { sign, words: `${places(day)} since yesterday${ofWeek}` };
}

function places(climbed: number): string {
  return `${count(Math.abs(climbed), 'place')} ${climbed > 0 ? 'up' : 'down'}`;
}

/** Whether the operator is private or hidden, so that more days or tokens would not help. */
export function isUnseen(reasons: readonly Pick<UnrankedReason, 'code'>[]): boolean {
  return reasons.some(({ code }) => code === 'private' || code === 'hidden');
}

/** Token types with their counts and shares, as rows of a table. */
export function tokenRows(counts: Pillars): [name: string, tokens: string, share: string][] {
  const total = totalOf(counts);
  return PILLARS.map((pillar) => {
    const tokens = counts[pillar];
    const name = PILLAR_LABELS[pillar];
    if (tokens === null) return [name, 'not reported', NONE];
    return [name, whole(tokens), shareText(tokens / total)];
  });
}

export function usageTitle(counts: Pillars): string {
  const text = (value: number | null) => (value === null ? 'not reported' : whole(value));
  return PILLARS.map((pillar) => {
    return `${PILLAR_LABELS[pillar].toLowerCase()} ${text(counts[pillar])}`;
  }).join(', ');
}
