import { plain } from '#core/domain/text/terminal-text.ts';
import { pieces } from './cells.ts';
import { TEXT_WIDTH } from './table.ts';

/** Stands before what a line goes on with. */
const CONTINUED = '    ';

/**
 * A part of a file that is replaced by another, as a diff. The lines around it are not shown, nor where
 * they stand: they may hold secrets of others.
 */
export function diffText(path: string, gone: string, come: string): string {
  const lines = [
    ...linesOf(gone).map((line) => `-${line}`),
    ...linesOf(come).map((line) => `+${line}`),
  ];
  return [`--- ${plain(path)}`, `+++ ${plain(path)}`, ...lines.map(shown)].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line of the diff in as many as it takes, each with its sign. */
function shown(line: string): string {
  const text = plain(line);
  const [first = '', ...others] = pieces(text.slice(1), TEXT_WIDTH - 1 - CONTINUED.length);
  const sign = text.slice(0, 1);
  return [sign + first, ...others.map((part) => sign + CONTINUED + part)].join('\n');
}
