/** The report of a mirror, as JSON and as text. */
import { toBase64 } from '#core/domain/text/base64.ts';
import { CHECKS, CHECK_NAMES, type CheckName, type CheckResult } from './checks.ts';
import type { MirrorPin, MirrorState } from './state.ts';
import type { SignedHead } from './trusted-checkpoint.ts';

export interface MirrorReport {
  /** The board's address. */
  board: string;
  origin: string | null;
  vkey: string | null;
  /** Whether no check failed. */
  sound: boolean;
  /** The entries in the mirror's checkpoint, and its root in base64. */
  size: number;
  root: string | null;
  /** The entries in the newest checkpoint that the board signed. */
  board_size: number | null;
  /** When the mirror last had everything that the board published. */
  complete_at: string | null;
  /** Files of the mirror that were damaged and fetched again: their number and the last one. */
  repaired: MirrorState['repaired'];
  checks: ({ name: CheckName; meaning: string } & CheckResult)[];
}

export function reportOf(
  board: string,
  { pin, head, state }: { pin: MirrorPin | null; head: SignedHead | null; state: MirrorState },
): MirrorReport {
  const checks = CHECK_NAMES.map((name) => {
    return { name, meaning: CHECKS[name], ...state.checks[name] };
  });
  return {
    board,
    origin: head?.origin ?? null,
    vkey: pin?.vkey ?? null,
    sound: checks.every(({ ok }) => ok !== false),
    size: head?.size ?? 0,
    root: head && toBase64(head.root),
    board_size: state.board_size,
    complete_at: state.complete_at,
    repaired: state.repaired,
    checks,
  };
}

const WORDS = new Map([
  [true, 'ok'],
  [false, 'WRONG'],
  [null, 'not yet'],
]);

/** The report as lines of text. */
export function reportText({ board, size, sound, repaired, checks }: MirrorReport): string {
  const lines = checks.flatMap(({ name, ok, meaning, found, findings }) => [
    `  ${name.padEnd(11)} ${(WORDS.get(ok) ?? '').padEnd(8)} ${meaning}`,
    ...findings.map(findingText),
    ...(found > findings.length ? [`    and ${found - findings.length} more`] : []),
  ]);
  const entries = `${size} ${size === 1 ? 'entry' : 'entries'}`;
  return [
    `${board}: ${entries}. ${sound ? 'No problems found.' : 'Problems found.'}`,
    ...lines,
    ...(repaired.last === null ? [] : [`  repaired    ${repaired.files}, last ${repaired.last}`]),
  ].join('\n');
}

export function findingText({ file, message }: { file: string; message: string }): string {
  return `    ${file === '' ? '' : `/${file} `}${message}`;
}
