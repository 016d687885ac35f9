/** Submissions that a board has lost, entered again from a copy of its public log. */
import type { LogEntryRow, LogLeaf } from '#db/log.ts';
import { fromHex } from '#core/domain/log/log-entry.ts';
import { type LoggedStatement, readStatement } from '#core/domain/log/logged-statement.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { PayloadLine } from '#core/schema/public-log.ts';
import { RECEIPT_PAYLOAD_TYPE, type Receipt } from '#core/schema/snapshot.ts';
import type { AppContext, Board } from '../context.ts';
import { activeKey } from '../identity/device-tokens.ts';
import { sha256Hex, verifyEd25519 } from '../process/crypto.ts';
import { recordSubmission, settleBuckets, submissionIdOf } from './store-submission.ts';
import { selfReportingDevice } from './submit-records.ts';

/** What a restored board has of the time of the submissions: its key, and the rules in its log. */
export type RestoredBoard = Board & Pick<AppContext, 'boardKey'> & { ruleset: string | null };

/**
 * Appends the entry of a submission with everything that belongs to it, as when it was accepted: its counts, its answer
 * and its ID. Call it inside a transaction. The caller has compared the digest of the contents with the entry.
 *
 * A submission stays lost if the board does not have its account or its key, because nobody could then change or delete
 * it, and if its receipt is not by the board's current key and rules, because it would contradict the log.
 *
 * @returns Whether it was entered. If not, nothing was changed.
 */
export function enterPublished(board: RestoredBoard, leaf: LogLeaf, line: PayloadLine): boolean {
  try {
    const statement = readStatement(line.payload);
    board.store.transaction(() => enter(board, leaf, { ...line, statement }));
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** @throws {DomainError} if the submission cannot be entered. */
function enter(
  board: RestoredBoard,
  leaf: LogLeaf,
  { statement, ...line }: PayloadLine & { statement: LoggedStatement },
): void {
  const { store } = board;
  const sender = senderOf(board, statement);
  const salt = fromHex(line.salt);
  const payload = Buffer.from(line.payload);
  const entry = store.log.appendAgain(leaf, { operator_id: sender.operator_id, salt, payload });
  if (!entry) throw unfit('it does not continue the log');
  const { envelope, collector, correction, covers, buckets } = statement;
  const submission = {
    ...sender,
    ...{ collector, correction, covers, buckets },
    keyid: envelope?.keyid ?? null,
    submission_id: statement.submission_id ?? '',
    idempotency_key_hash: null,
    payloadHash: sha256Hex(envelope?.payload ?? payload),
  };
  settleBuckets(board, submission, entry);
  const answer = {
    id: submissionIdOf(entry.received_at, salt),
    submission_id: submission.submission_id,
    ...receiptOf(board, line, entry),
    records: buckets.length,
    proof: { previous: entry.previous, salt: line.salt },
  };
  recordSubmission(board, submission, answer, entry);
}

/** @throws {DomainError} if the board does not know the account or the key. */
function senderOf(board: RestoredBoard, { envelope, operator }: LoggedStatement) {
  const { store } = board;
  if (envelope) {
    const { operator_id, device_id, public_key } = activeKey(store, envelope.keyid);
    const isSigned = verifyEd25519(envelope.signed, envelope.signature, public_key);
    if (!isSigned) throw unfit('the key did not sign it');
    return { operator_id, device_id, trust: 'signed' } as const;
  }
  const account = store.operators.byPublicId(operator ?? '');
  // The log names an account before its first submission, and that entry is lost.
  if (!account || account.log_index === 0) throw unfit('the board does not know its account');
  const device_id = selfReportingDevice(board, account.id, board.now());
  return { operator_id: account.id, device_id, trust: 'self_reported' } as const;
}

/** @throws {DomainError} if the board's current key did not sign the receipt for the entry, with the rules in its log. */
function receiptOf(
  { boardKey, ruleset }: RestoredBoard,
  { receipt }: PayloadLine,
  { log_index, entry_hash, received_at }: LogEntryRow,
) {
  if (ruleset === null || receipt === null) throw unfit('it has no receipt');
  const stated: Receipt = { log_index, entry_hash, received_at, ruleset };
  // Ed25519 signs the same bytes in one way only.
  const own = boardKey.seal(RECEIPT_PAYLOAD_TYPE, Buffer.from(JSON.stringify(stated)));
  if (JSON.stringify(receipt) !== JSON.stringify(own)) throw unfit('it has another receipt');
  return { ...stated, receipt };
}

function unfit(why: string): DomainError {
  return new DomainError('validation_failed', `The submission cannot be entered: ${why}`);
}
