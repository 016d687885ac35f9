/** How two versions of the ranking rules differ, in words. */
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { percentText, whole } from '../text/format.ts';
import { WINDOW_WORDS } from '../text/words.ts';

const INTERVALS = new Map<string | undefined, string>([
  ['jackknife-95', 'leaves out days'],
  ['week-95', 'compares weeks'],
]);

function partsOf(ruleset: Ruleset): Map<string, string> {
  const inWindows = (name: string, numbers: Ruleset['active_days']) =>
    WINDOWS.map((window): [string, string] => {
      return [`${name}, ${WINDOW_WORDS[window].phrase}`, String(numbers[window])];
    });
  return new Map([
    ['Interval', INTERVALS.get(ruleset.interval) ?? 'none'],
    ['Tokens per active day', whole(ruleset.active_day_tokens)],
    ...inWindows('Active days', ruleset.active_days),
    ...inWindows('Effective days', ruleset.effective_days),
    ['Tokens', whole(ruleset.total_tokens)],
    ['Output tokens', whole(ruleset.output_tokens)],
    ['Coverage', percentText(ruleset.coverage)],
  ]);
}

/** A line for each number that differs. @example `Active days, last 7 days: 3, then 4` */
export function changesBetween(before: Ruleset, after: Ruleset): string[] {
  const old = partsOf(before);
  return [...partsOf(after)]
    .filter(([name, value]) => old.get(name) !== value)
    .map(([name, value]) => `${name}: ${old.get(name)}, then ${value}`);
}
