import type { LoggedOperator, PublicLogEntry } from '#db/public-log.ts';
import { createHash } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { type NewLine, SectionSums, lineText } from '#core/domain/log/public-log-line.ts';
import {
  PUBLIC_LOG_PAYLOAD_TYPE,
  PUBLIC_LOG_TYPE,
  type PublicLogEnd,
} from '#core/schema/public-log.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { type BoardKey, openBoardKey } from '../identity/board-key.ts';
import { sha256 } from '../process/crypto.ts';
import { type LoggedBoard, boardsInLogOrder, currentBoard, linesOfBoard } from './boards.ts';

type NewEntryLine = Extract<NewLine, { line: 'entry' }>;

export interface PublicLogSource {
  store: Store;
  baseUrl: string;
  boardKey: BoardKey;
  /** Called with what the log will contain, inside its snapshot. */
  onPlan?: (plan: PublicLogPlan) => void;
}

/** Creates the source of the public log of a board that was started at least once. */
export function publicLogSource(store: Store, { baseUrl, now }: { baseUrl: string; now: Date }) {
  return { store, baseUrl, boardKey: openBoardKey(store, now) };
}

/** The public log as text, and the last entry in it. */
interface PublicLog {
  log_index: number;
  lines: Generator<string>;
}

/** Decided once, so that the whole file treats every operator the same way. */
export interface PublicLogPlan {
  head: { index: number; entry_hash: string };
  operators: readonly LoggedOperator[];
  days: readonly string[];
  current: LoggedBoard | null;
}

/**
 * Produces the current public log line by line. The same log, publication and days give the same bytes. Nothing is
 * locked between lines, so the writer must check at the end whether an operator's visibility has changed.
 */
export function publicLog(source: PublicLogSource): PublicLog {
  const { store } = source;
  const plan = store.snapshot((): PublicLogPlan => {
    const head = store.log.head();
    if (!head) throw new Error('A board that was started must have log entries');
    const operators = store.publicLog.operators();
    const days = store.publicLog.days(head.index);
    const decided = { head, operators, days, current: currentBoard(store) };
    source.onPlan?.(decided);
    return decided;
  });
  return { log_index: plan.head.index, lines: signedLines(source, plan) };
}

/** Yields all lines as text, and then the board's signature. */
function* signedLines(source: PublicLogSource, plan: PublicLogPlan): Generator<string> {
  const sums = new SectionSums(() => createHash('sha256'));
  for (const line of linesOf(source, plan)) {
    const text = lineText(line, sha256);
    sums.add(line.line, text);
    yield `${text}\n`;
  }
  const { index: log_index, entry_hash } = plan.head;
  const sections = sums.result();
  const end: PublicLogEnd = { type: PUBLIC_LOG_TYPE, log_index, entry_hash, sections };
  const payload = new TextEncoder().encode(JSON.stringify(end));
  const signature = source.boardKey.seal(PUBLIC_LOG_PAYLOAD_TYPE, payload);
  yield `${lineText({ line: 'end', signature }, sha256)}\n`;
}

function* linesOf({ store, baseUrl }: PublicLogSource, plan: PublicLogPlan): Generator<NewLine> {
  const { head, operators, current } = plan;
  const { index: log_index, entry_hash } = head;
  const as_of = current?.as_of ?? null;
  yield { line: 'header', type: PUBLIC_LOG_TYPE, base_url: baseUrl, log_index, entry_hash, as_of };
  for (const { keyid, public_key, log_index, created_at } of store.boardKeys.all().reverse()) {
    const key = { keyid, public_key: toBase64Url(public_key), log_index, valid_from: created_at };
    yield { line: 'board_key', ...key };
  }
  const shown = new Set(operators.filter((each) => each.takes_part).map(({ id }) => id));
  const boards = boardsInLogOrder(store, plan.days, current);
  let board = boards.next().value;
  for (let last = 0; last < log_index; last += 1) {
    const entry = store.publicLog.next(last);
    if (!entry) throw new Error(`The log has no entry after ${last}`);
    yield entryLine(entry, entry.operator_id === null || shown.has(entry.operator_id));
    while (board?.log_index === entry.log_index) {
      yield* linesOfBoard(board, operators);
      board = boards.next().value;
    }
  }
}

/** An entry. Erased entries, and those of operators who are not public, contain only their hashes. */
export function entryLine(entry: PublicLogEntry, isShown: boolean): NewEntryLine {
  const { log_index, kind, previous, received_at, payload_digest, entry_hash } = entry;
  const { salt, payload, answer } = entry;
  const chained = { log_index, kind, previous, received_at, payload_digest, entry_hash };
  if (!isShown || salt === null || payload === null) {
    return { line: 'entry', ...chained, salt: null, payload: null, receipt: null };
  }
  return {
    line: 'entry',
    ...chained,
    salt: hex(salt),
    payload: new TextDecoder().decode(payload),
    receipt: answer === null ? null : receiptIn(answer),
  };
}

/** The signed part of a submission's answer, in the order of its schema. */
function receiptIn(answer: string): Envelope {
  const { receipt } = JSON.parse(answer) as { receipt: Envelope };
  const { payloadType, payload, signatures } = receipt;
  return { payloadType, payload, signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })) };
}
