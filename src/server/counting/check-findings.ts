import type { ShownCheck } from '#db/checks.ts';
import { checkText } from '#core/domain/checks/check-text.ts';
import type { Check } from '#core/schema/moderation.ts';
import { SHOWN_DAYS } from '#core/schema/shown.ts';

type Told = Pick<
  ShownCheck,
  'check_id' | 'days' | 'n' | 'statistic' | 'threshold' | 'tool' | 'verdict'
>;

/** A stored finding as its owner reads it, without its sentence. */
function foundOf({ check_id, verdict, statistic, threshold, n, tool, days }: Told) {
  return {
    check: check_id,
    verdict,
    statistic,
    threshold,
    n,
    tool: tool === '' ? null : tool,
    days: Object.keys(JSON.parse(days) as Record<string, number>).sort(),
  };
}

/** What was found, in a sentence. */
export function foundText(row: Told): string {
  return checkText(foundOf(row));
}

/** A stored finding as its owner reads it. */
export function checkOf(row: ShownCheck): Check {
  const found = foundOf(row);
  const days = found.days.slice(0, SHOWN_DAYS);
  return { ...found, days, found_at: row.found_at, text: checkText(found) };
}
