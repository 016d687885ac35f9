import { setTimeout } from 'node:timers/promises';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJson, parseJsonBytes } from '#core/domain/text/json.ts';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import { LOG_HEAD_PAYLOAD_TYPE } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import type { LogAnswer } from '../board/answers.ts';
import type { Client } from '../board/client.ts';
import { EXIT, Failure } from '../failure.ts';

export interface LiveLog {
  log_index: number;
  entry_hash: string;
  hashes: ReadonlyMap<number, string>;
  /** Whether operators have changed their visibility since the file was written. */
  isSeenOtherwise: boolean;
}

/** Kinds of entries that change which operators are visible, or their names. */
const SEEN_OTHERWISE = ['erase', 'hide', 'unhide', 'visibility'];

export interface LiveBoard {
  board: string;
  client: Client;
  retrying: RetryingClient;
}

/**
 * Reads the live log from the file's last entry to the signed head, and checks that it continues the file.
 *
 * @param entries The checked entries of the file.
 * @throws {Failure} if a request fails.
 */
export async function walkLiveLog(
  { board, client, retrying }: LiveBoard,
  { chain, keys }: EntriesCheck,
  findings: Findings,
): Promise<LiveLog> {
  const report = (message: string) => findings.add({ code: 'live_log', line: null, message });
  const hashes = new Map<number, string>();
  let isSeenOtherwise = false;
  for (;;) {
    const since = chain.last.log_index;
    const { head, entries } = await retrying.ask(() => client.log(board, since));
    for (const entry of entries) {
      const line = entryOf(entry);
      chain.add(line, ({ message }) => report(`in the live log, ${message}`));
      hashes.set(entry.log_index, entry.entry_hash);
      isSeenOtherwise ||= SEEN_OTHERWISE.includes(entry.kind);
      if (entry.kind === 'board-key' && entry.payload !== null) {
        attempt(report, () => keys.enterBoardKey(line, parseJson(entry.payload ?? '')));
      }
    }
    const { log_index, entry_hash } = chain.last;
    const isStuck = log_index <= since;
    if (head.log_index > log_index && !isStuck) continue;
    if (head.log_index !== log_index || head.entry_hash !== entry_hash) {
      report(
        `the live log ends with entry ${head.log_index} (${head.entry_hash}), but the file leads to ${log_index} (${String(entry_hash)})`,
      );
    }
    attempt(report, () => checkHead(head, keys.openByBoard(head.signature, LOG_HEAD_PAYLOAD_TYPE)));
    return { log_index: head.log_index, entry_hash: head.entry_hash, hashes, isSeenOtherwise };
  }
}

type NamedKey = Pick<EntriesCheck['keys']['board'][number], 'keyid' | 'log_index' | 'public_key'>;

export async function compareKeys(
  { board, client, retrying }: LiveBoard,
  { keys, chain }: EntriesCheck,
  findings: Findings,
): Promise<void> {
  const live = (await retrying.ask(() => client.boardKeys(board))).keys;
  const told = live.filter(({ log_index }) => log_index <= chain.last.log_index);
  const textOf = ({ keyid, public_key, log_index }: NamedKey) =>
    `${log_index} ${keyid} ${public_key}`;
  if (told.map(textOf).sort().join('\n') === keys.board.map(textOf).sort().join('\n')) return;
  const message = `${board} shows other keys than its log: ${told.map(({ keyid }) => keyid).join(', ')}`;
  findings.add({ code: 'live_log', line: null, message });
}

function checkHead({ log_index, entry_hash }: LogAnswer['head'], payload: Uint8Array): void {
  const signed = parseJsonBytes(payload) as Partial<LogAnswer['head']> | null;
  if (signed?.log_index === log_index && signed.entry_hash === entry_hash) return;
  throw new DomainError(
    'signature_invalid',
    "The signature of the live log's head is for another head",
  );
}

/** The entry in the form of the file, without the snapshot's text. */
function entryOf(entry: LogAnswer['entries'][number]): EntryLine {
  const salt = entry.payload === null ? null : entry.salt;
  return { ...entry, line: 'entry', salt, receipt: null, check: '' };
}

function attempt(report: (message: string) => void, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    report(error.message);
  }
}

const MAX_WAIT_SECONDS = 15 * 60;

/** Sends requests to a board, and waits as long as its Retry-After says. */
export class RetryingClient {
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #tell: (seconds: number) => void;
  #waited = 0;

  constructor(tell: (seconds: number) => void, wait = (ms: number) => setTimeout(ms)) {
    this.#tell = tell;
    this.#wait = wait;
  }

  /** @throws {Failure} if the request fails, or the wait would be too long. */
  async ask<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        const seconds = error instanceof Failure ? error.retryAfterSeconds : null;
        if (seconds === null) throw error;
        // Counts at least one second, so that a Retry-After of 0 cannot cause an endless loop.
        this.#waited += Math.max(seconds, 1);
        if (this.#waited > MAX_WAIT_SECONDS) {
          throw new Failure(EXIT.network, 'The board asks for too long a wait', 'Try again later.');
        }
        this.#tell(seconds);
        await this.#wait(1000 * seconds);
      }
    }
  }
}
