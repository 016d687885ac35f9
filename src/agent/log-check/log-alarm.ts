/** Errors for a board whose log contradicts what it showed or confirmed to this device. */
import { EXIT, Failure } from '../failure.ts';
import { counted } from '../text/figures.ts';
import type { Evidence } from './kept-log.ts';

/** What a check of a log can find, and what it means. */
const LOG_ALARMS = {
  log_entry_missing:
    'The board signed receipts for these submissions, so somebody removed or changed them, or restored an older backup.',
  log_invalid:
    'The board, or something between this device and the board, changed or damaged the answer.',
  log_key_changed: 'Somebody else may be answering under the address of the board.',
  log_replaced:
    'This happens if the admin restored an older backup without the missing entries. Those entries are lost.',
  log_rewound:
    'A log may only grow, so somebody removed entries, or the board runs from an older backup.',
  log_split:
    'A log may only grow, so somebody changed entries, or the board shows different logs to different people.',
} as const;
type LogAlarmCode = keyof typeof LOG_ALARMS;

/** What is wrong, before the evidence is saved. */
export class LogContradiction extends Error {
  override readonly name = 'LogContradiction';
  readonly code: LogAlarmCode;
  readonly evidence: Evidence;
  /** What identifies the case. */
  readonly about: string;

  constructor(code: LogAlarmCode, message: string, evidence: Evidence, about = message) {
    super(message);
    this.code = code;
    this.evidence = evidence;
    this.about = about;
  }
}

/** The contradiction as an error with instructions. */
export class LogAlarm extends Failure {
  override readonly code: LogAlarmCode;
  override isAlarm = true;

  /** @param folder The folder with the evidence; null if it could not be saved. */
  constructor(board: string, { code, message }: LogContradiction, folder: string | null) {
    super(EXIT.refused, `${board}: ${message}`, hintOf(board, code, folder));
    this.code = code;
  }
}

function hintOf(board: string, code: LogAlarmCode, folder: string | null): string {
  const saved =
    folder === null
      ? 'The evidence could not be saved, because the state folder is not writable.'
      : `Evidence: ${folder}`;
  return [
    LOG_ALARMS[code],
    saved,
    "Your counts are safe on this device. Ask the board's admin, and compare with other operators.",
    `If the explanation convinces you: opbench submit --accept-log --board ${board}`,
  ].join('\n');
}

/** The entries in a sentence, at most five of them. */
export function entriesText(indexes: readonly number[]): string {
  const shown = indexes.slice(0, 5).join(', ');
  const more = indexes.length > 5 ? ' and others' : '';
  return `${counted(indexes.length, 'submission')} of this device (entry ${shown}${more})`;
}
