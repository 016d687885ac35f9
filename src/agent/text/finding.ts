import { plain } from '#core/domain/text/terminal-text.ts';
import type { Finding } from '../finding.ts';
import { wrapped } from './table.ts';

/** What was found and what to do about it. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ severity, text, advice }) => [
    wrapped(`${severity}: ${plain(text)}`, 2).trimEnd(),
    ...(advice === '' ? [] : [wrapped(plain(advice), 4)]),
  ]);
}
