/** Why lines that should tell counts were left out. */
import type { SkipReason, Skips } from './reader.ts';

/** Counts lines left out for a reason, in place. */
export function addSkip(skips: Skips, reason: SkipReason, lines = 1): void {
  if (lines > 0) skips[reason] = (skips[reason] ?? 0) + lines;
}

/** What was left out in all parts together. */
export function sumSkips(parts: Iterable<Skips>): Skips {
  const sum: Skips = {};
  for (const part of parts) {
    for (const [reason, lines] of Object.entries(part)) addSkip(sum, reason as SkipReason, lines);
  }
  return sum;
}

/** How many lines were left out, for whatever reason. */
export function skippedLines(skips: Skips): number {
  return Object.values(skips).reduce((sum, lines) => sum + lines, 0);
}

/** Why a text is no object of JSON: what was too much to hold is handed over as no text at all. */
export function unparsed(text: string): SkipReason {
  return text === '' ? 'too_long' : 'not_json';
}
