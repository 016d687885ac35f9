/** What `verify` says to people. */
import type { LogHead } from '#db/engine/inspection.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { WholeCheck } from '#server/verify/check.ts';

/** So many findings are printed. */
const MAX_SHOWN = 20;

/** An entry as commands take and print it. */
export function headText({ log_index, entry_hash }: LogHead): string {
  return `${log_index}:${entry_hash}`;
}

export function reportText(
  path: string,
  check: WholeCheck,
  asked: { past: LogHead | null; copy: string | null },
): string {
  const { head, unchecked, notes, found } = check;
  const lines = [
    `${path}`,
    ...countsText(check),
    ...proofs(check, asked),
    ...notes.map((text) => `  note       ${plain(text)}`),
    ...unchecked.map((text) => `  unchecked  ${plain(text)}`),
    ...(head ? [`  head       ${headText(head)}`] : []),
    found === 0
      ? 'It is whole, as far as the log proves.'
      : `It is not whole: ${count(found, 'finding')}.`,
    ...check.findings
      .slice(0, MAX_SHOWN)
      .map(({ code, message }) => `  ${code}: ${plain(message)}`),
    ...(found > MAX_SHOWN ? [`  and ${found - MAX_SHOWN} more; --json shows the first 100`] : []),
  ];
  return lines.join('\n');
}

/** What was counted; nothing where that could not be read. */
function countsText({ head, operators, submissions, erased, boards }: WholeCheck): string[] {
  if (submissions === null) return [];
  const { signed, self_reported } = submissions;
  return [
    `  log        ${head ? `${head.log_index} entries, ${erased} of them erased` : 'no entries yet'}`,
    `  operators  ${operators}`,
    `  submitted  ${signed} signed, ${self_reported} by hand`,
    `  boards     ${boardsText(boards)}`,
  ];
}

function proofs(
  { head, copy, findings }: WholeCheck,
  asked: { past: LogHead | null; copy: string | null },
): string[] {
  const told = [];
  const isMissing = findings.some(
    ({ code }) => code === 'entry_missing' || code === 'copy_differs',
  );
  if (asked.past && head && !isMissing)
    told.push(`  proof      entry ${asked.past.log_index} is there`);
  if (copy) {
    told.push(`  proof      ${copy.same} entries of the copy are there, up to ${copy.log_index}`);
  }
  return told;
}

function boardsText(boards: readonly CheckedBoard[]): string {
  if (boards.length === 0) return 'none recomputed';
  const partly = boards.filter(({ extent }) => extent !== 'fully').length;
  const rest = partly === 0 ? '' : `, ${partly} of them but for rows of accounts that left`;
  return `${count(boards.length, 'board')} recomputed${rest}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
