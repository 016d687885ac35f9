import { utcDay } from '#core/domain/counting/day.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { atEachBoard } from '../board/each-board.ts';
import type { Progress } from '../command.ts';
import { type LocalDevice, identitiesOf } from '../device.ts';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { acceptLog, checkLog } from '../log-check/check-log.ts';
import { logReport } from '../log-check/log-report.ts';
import type { Identity } from '../state/keystore.ts';
import { CopiedInstallation, bind, bindingHere, bindingOf, copyText } from '../state/machine.ts';
import type { StatedBuckets } from '../state/outbox.ts';
import type { BoardFailure, BoardSubmission, SubmissionReport } from '../reports.ts';
import { counted } from '../text/figures.ts';
import { type Collected, collect } from './collect.ts';
import { batchesOf, composePayload, statementsDue } from './compose.ts';
import { type FingerprintSource, fingerprintSource } from './fingerprints.ts';
import { askStanding, rememberStanding } from './standing.ts';
import type { SendResult } from './send-all.ts';
import { Interrupted, outboxOf, pendingStatements, submit } from './submit.ts';

export interface SubmitOptions {
  board: string | undefined;
  tell?: (failure: BoardFailure, cause: Failure) => void;
  note?: (text: string) => void;
  progress?: Progress;
  /** Whether the person confirms that the state folder belongs to this machine, despite a new machine ID. */
  isSameMachine?: boolean;
  /** Whether to send withdrawn days again. */
  withWithdrawn?: boolean;
  /** Whether to trust the current log of the boards, although it contradicts the earlier one. */
  acceptLog?: boolean;
  /** Whether to request the standing afterwards. Default: true. */
  standing?: boolean;
}

interface SubmitResult {
  report: SubmissionReport;
  exitCode: ExitCode;
}

const quiet = () => undefined;

const KEPT =
  'The counts were saved on this device. The next submit sends them, even if logs are deleted in the meantime.';

/**
 * Scans the logs, and sends every board what it does not have. An error at one board does not stop the others.
 *
 * @throws {Failure} if this device is not enrolled there.
 */
export async function submitAll(device: LocalDevice, asked: SubmitOptions): Promise<SubmitResult> {
  const { tell = quiet, note = quiet, progress = quiet } = asked;
  const found = identitiesOf(device, asked.board);
  const collected = await collectNoted(device, note, progress);
  const submissions: BoardSubmission[] = [];
  const notes = [...collected.notes];
  const withWithdrawn = asked.withWithdrawn === true;
  const told = { progress, note: noting(notes, note), withWithdrawn };
  if (asked.isSameMachine) bind(device);
  const binding = bindingHere(device);
  const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
    if (binding.state === 'copied') throw new CopiedInstallation(binding);
    if (asked.acceptLog) await acceptLog(device, identity);
    const submission = await submit(device, identity, collected, told).catch((error) => {
      if (error instanceof Interrupted) submissions.push(reportOf(error.submission));
      throw error;
    });
    const report = reportOf(submission);
    submissions.push(report);
    if (asked.standing !== false) {
      report.standing = await standingAfter(device, identity, submission, note);
    }
    report.log = logReport(device, identity);
    report.log = await checkLog(device, identity);
  });
  const isUnsent = failures.some(({ exit }) => exit === EXIT.network);
  if (isUnsent && collected.isKept) told.note(KEPT);
  return {
    report: { dry_run: false, payloads: [], submissions, failures, notes },
    exitCode,
  };
}

/**
 * The payloads that {@linkcode submitAll} would send now. For a board where this device is not enrolled, that is
 * everything.
 *
 * @throws {Failure} if this device is not enrolled and no board is named.
 */
export async function composeAll(device: LocalDevice, asked: SubmitOptions): Promise<SubmitResult> {
  const { board, tell = quiet, note = quiet, progress = quiet } = asked;
  const isStranger = board !== undefined && !device.keystore.identity(board);
  const found = isStranger ? { sound: [], damaged: [] } : identitiesOf(device, board);
  const collected = await collectNoted(device, note, progress);
  const payloads: SubmissionReport['payloads'] = [];
  const show = (at: string, bytes: Uint8Array) => {
    payloads.push({ board: at, payload: new TextDecoder().decode(bytes) });
  };
  const compose = (
    at: string,
    statements: readonly StatedBuckets[],
    fingerprints: FingerprintSource | null = null,
  ) => {
    statements.forEach((one) =>
      show(at, composePayload(device, at, one, { fingerprints }).payload),
    );
  };
  const notes = [...collected.notes];
  const tellNote = noting(notes, note);
  const binding = bindingOf(device);
  if (binding.state === 'copied') tellNote(copyText(binding));
  if (isStranger) compose(board, batchesOf(collected.buckets));
  const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
    const outbox = outboxOf(device, identity);
    const waiting = pendingStatements(outbox, identity.board);
    for (const statement of waiting) {
      show(identity.board, statement.payload);
      outbox.assumeSent(statement);
    }
    const unread = outbox.pending().length - waiting.length;
    if (unread > 0) tellNote(unreadText(identity.board, unread));
    const stating = { today: utcDay(device.nowMs()), lackingTo: null };
    const due = statementsDue(outbox, collected, stating);
    due.notes.forEach((text) => tellNote(`${identity.board}: ${text}`));
    const fingerprints = fingerprintSource(device, identity, collected.ledger);
    compose(identity.board, due.statements, fingerprints);
  });
  return {
    report: { dry_run: true, payloads, submissions: [], failures, notes },
    exitCode,
  };
}

async function collectNoted(
  device: LocalDevice,
  note: (text: string) => void,
  progress: Progress,
): Promise<Collected> {
  const collected = await collect(device, progress);
  collected.notes.forEach(note);
  return collected;
}

function unreadText(board: string, count: number): string {
  return `${board}: ${counted(count, 'saved batch')} damaged. The next submit discards it and sends its counts again`;
}

function noting(notes: string[], note: (text: string) => void) {
  return (text: string) => {
    notes.push(text);
    note(text);
  };
}

function reportOf(submission: SendResult): BoardSubmission {
  const { board, snapshots, records, receipts, corrections } = submission;
  const short = receipts.map(({ log_index, entry_hash, received_at, ruleset }) => {
    return { log_index, entry_hash, received_at, ruleset };
  });
  return { board, snapshots, records, receipts: short, corrections, standing: null, log: null };
}

/** The standing after a submission. If the request fails, the submission is still a success. */
async function standingAfter(
  device: LocalDevice,
  identity: Identity,
  { snapshots }: SendResult,
  note: (text: string) => void,
): Promise<BoardSubmission['standing']> {
  try {
    const standing = await askStanding(device, identity);
    if (snapshots > 0) rememberStanding(device, identity, standing);
    return standing;
  } catch (error) {
    if (!(error instanceof Failure) || snapshots === 0) throw error;
    note(`Your rank could not be requested: ${plain(error.message)}`);
    return null;
  }
}
