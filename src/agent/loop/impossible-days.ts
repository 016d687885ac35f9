/** Records of days that no board accepts: before 2023, or in the future. */
import { FIRST_DAY } from '#core/domain/signing/snapshot.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LeftOutDay } from '../reports.ts';
import { counted } from '../text/counted.ts';

/** How many are named in a text. */
const SHOWN = 5;
/** How many are listed. */
const LISTED = 100;

/** @param today The day by the clock of this device. */
export function impossibleDays(buckets: readonly Bucket[], today: string): LeftOutDay[] {
  return buckets.flatMap(({ day, tool, model }): LeftOutDay[] => {
    if (day < FIRST_DAY) return [{ day, tool, model, reason: 'before_2023' }];
    return day > today ? [{ day, tool, model, reason: 'in_future' }] : [];
  });
}

export function listedDays(days: readonly LeftOutDay[]): LeftOutDay[] {
  return days.slice(0, LISTED);
}

const REASONS: Readonly<Record<LeftOutDay['reason'], string>> = {
  before_2023: 'before 2023',
  in_future: 'in the future by the clock of this device',
};

/** Which records are left out, and why; null if none are. */
export function impossibleText(days: readonly LeftOutDay[]): string | null {
  if (days.length === 0) return null;
  const named = days.slice(0, SHOWN).map(({ day, tool, model, reason }) => {
    return `${day} ${plain(tool)} ${plain(model)} (${REASONS[reason]})`;
  });
  const left = days.length - named.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return `${counted(days.length, 'record')} of impossible days left out: ${named.join(', ')}${more}`;
}
