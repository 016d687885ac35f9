/** The report of `verify` as text. */
import type { LogHead } from '#db/engine/inspection.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { WholeCheck } from '#server/verify/check.ts';

/** The highest number of findings to print. */
const MAX_SHOWN = 20;

/** A log entry as `INDEX:HASH`, which `verify --head` takes. */
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
      ? 'No problems found, as far as the log can prove.'
      : `${count(found, 'problem')} found.`,
    ...check.findings
      .slice(0, MAX_SHOWN)
      .map(({ code, message }) => `  ${code}: ${plain(message)}`),
    ...(found > MAX_SHOWN ? [`  and ${found - MAX_SHOWN} more; --json lists the first 100`] : []),
  ];
  return lines.join('\n');
}

/** Counts; no lines if the database could not be read. */
function countsText({ head, operators, submissions, erased, boards }: WholeCheck): string[] {
  if (submissions === null) return [];
  const { signed, self_reported } = submissions;
  return [
    `  log        ${head ? `${head.log_index} ${head.log_index === 1 ? 'entry' : 'entries'}, ${erased} erased` : 'no entries yet'}`,
    `  operators  ${operators}`,
    `  submitted  ${signed} signed, ${self_reported} self-reported`,
    `  boards     ${boardsText(boards)}`,
  ];
}

function proofs(
  { head, copy, findings }: WholeCheck,
  asked: { past: LogHead | null; copy: string | null },
): string[] {
  const lines = [];
  const isMissing = findings.some(
    ({ code }) => code === 'entry_missing' || code === 'copy_differs',
  );
  if (asked.past && head && !isMissing)
    lines.push(`  proof      entry ${asked.past.log_index} is in the log`);
  if (copy) {
    lines.push(
      `  proof      ${copy.same} entries of the copy are in the log, up to entry ${copy.log_index}`,
    );
  }
  return lines;
}

function boardsText(boards: readonly CheckedBoard[]): string {
  if (boards.length === 0) return 'none recomputed';
  const partly = boards.filter(({ extent }) => extent !== 'fully').length;
  const rest = partly === 0 ? '' : `, ${partly} of them without the rows of deleted accounts`;
  const thinned = boards.filter(({ values }) => values === 'thinned').length;
  const values =
    thinned === 0 ? '' : `, ${thinned} of them by rank only, because their values are deleted`;
  return `${count(boards.length, 'board')} recomputed${rest}${values}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
