import { plain } from '#core/domain/text/terminal-text.ts';
import type { BoardFailure } from '../reports.ts';
import type { FindingReport } from '../finding.ts';
import { wrapped } from './table.ts';

/** Why something failed and what to do about it; of a board's failure also where, if it does not say so itself. */
export function failureLines({
  board = null,
  message,
  hint,
}: Pick<BoardFailure, 'message' | 'hint'> & { board?: string | null }): string[] {
  const isNamed = board === null || message.includes(board);
  const what = `opbench: ${isNamed ? '' : `${board}: `}${plain(message)}`;
  return hint === null ? [what] : [what, ...hint.split('\n').map(plain)];
}

export function findingLines(findings: readonly FindingReport[]): string[] {
  return findings.flatMap(({ severity, text, advice }) => [
    wrapped(`${severity}: ${plain(text)}`, 2).trimEnd(),
    ...(advice === '' ? [] : [wrapped(plain(advice), 4)]),
  ]);
}
