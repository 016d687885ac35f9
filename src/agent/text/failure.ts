import { plain } from '#core/domain/text/terminal-text.ts';
import type { BoardFailure } from '../reports.ts';
import type { FindingReport } from '../finding.ts';
import { wrapped } from './table.ts';

/** The lines of an error: what happened, at which board if the message does not name it, and what to do. */
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
