import type { ShownCheck } from '#db/checks.ts';
import { checkText } from '#core/domain/checks/check-text.ts';
import type { Check } from '#core/schema/moderation.ts';
import { SHOWN_DAYS } from '#core/schema/shown.ts';

type StoredFinding = Pick<
  ShownCheck,
  'check_id' | 'days' | 'n' | 'statistic' | 'threshold' | 'tool' | 'verdict'
>;

function foundOf({ check_id, verdict, statistic, threshold, n, tool, days }: StoredFinding) {
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

export function findingText(row: StoredFinding): string {
  return checkText(foundOf(row));
}

export function checkOf(row: ShownCheck): Check {
  const found = foundOf(row);
  const days = found.days.slice(0, SHOWN_DAYS);
  return { ...found, days, found_at: row.found_at, text: checkText(found) };
}
