import type { BoardTrust, ClassTier, Movement } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { PILLARS, PILLAR_LABELS } from '../../charts/labels.ts';
import { capitalised, count, whole } from './format.ts';

/** Only exceptions are labeled, because most counts are signed. */
const TRUST: Readonly<Record<BoardTrust, string | null>> = {
  signed: null,
  mixed: 'partly signed',
  self_reported: 'unsigned',
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
 * A rank range; null if it contains a single rank.
 *
 * @example `1\u20135`
 */
export function rangeText([best, worst]: readonly [number, number]): string | null {
  return best === worst ? null : `${whole(best)}\u2013${whole(worst)}`;
}

/** An operator's change in rank since the previous day, as a symbol and in words; null for no change. */
export function movedText({ day, week }: Movement): { sign: string; words: string } | null {
  if (day === null || day === 0) return null;
  const ofWeek = week === null || week === 0 ? '' : `, ${places(week)} in seven days`;
  const sign = `${day > 0 ? '\u2191' : '\u2193'}\u00a0${whole(Math.abs(day))}`;
  return { sign, words: `${places(day)} since yesterday${ofWeek}` };
}

function places(climbed: number): string {
  return `${climbed > 0 ? 'up' : 'down'} ${count(Math.abs(climbed), 'place')}`;
}

export function usageTitle(counts: Pillars): string {
  const text = (value: number | null) => (value === null ? 'not reported' : whole(value));
  return PILLARS.map((pillar) => {
    return `${PILLAR_LABELS[pillar].toLowerCase()} ${text(counts[pillar])}`;
  }).join(', ');
}
