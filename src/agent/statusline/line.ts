/** A status line as text. */
import { plain } from '#core/domain/text/terminal-text.ts';
import { counted, durationText, figure, shortFigure, valueText } from '../text/figures.ts';
import type { Status } from './status.ts';

/** Counts that are older say how old they are. */
const FRESH_MS = 60 * 60 * 1000;
const DAY_MS = 24 * FRESH_MS;

/** One line of at most about 80 columns. */
export function statusLine({ counted: count, standing }: Status, nowMs: number): string {
  const parts = [countText(count, nowMs)];
  if (standing !== null) parts.push(rankText(standing, nowMs));
  return plain(parts.join(' | '));
}

function countText(count: Status['counted'], nowMs: number): string {
  if (count === null) return 'no tokens counted yet';
  const ageMs = nowMs - count.at_ms;
  if (!count.is_today) return `not counted today, last ${ageText(ageMs)}`;
  const age = ageMs > FRESH_MS ? ` (${ageText(ageMs)})` : '';
  const value = count.yield === null ? '' : `, yield ${valueText(count.yield)}`;
  return `${shortFigure(count.tokens)} tokens today${value}${age}`;
}

function rankText(standing: NonNullable<Status['standing']>, nowMs: number): string {
  const { rank, total, change, tool, window, asked_ms } = standing;
  const of = [tool, window.replace('_', ' ')].filter((name) => name !== null).join(', ');
  const ageMs = nowMs - asked_ms;
  const age = ageMs > DAY_MS ? `, ${ageText(ageMs)}` : '';
  if (rank === null) return `not ranked yet (${of}${age})`;
  const moved = change ? `, ${change > 0 ? 'up' : 'down'} ${figure(Math.abs(change))}` : '';
  return `rank ${figure(rank)} of ${figure(total)}${moved} (${of}${age})`;
}

function ageText(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  return days >= 2
    ? `${counted(days, 'day')} ago`
    : `${durationText(Math.max(0, ms), Math.floor)} ago`;
}
