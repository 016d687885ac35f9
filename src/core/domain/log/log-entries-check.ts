/**
 * Checks the entries of a public log in order: the hash chain, and the signatures of entries with a payload.
 *
 * @module
 */
import type { BoardPayload } from '#core/schema/log-payload.ts';
import { LogKind } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { DomainError, type ErrorCode } from '../text/errors.ts';
import { parseJson } from '../text/json.ts';
import { LogChain } from './log-chain.ts';
import type { FindingCode, LogFinding } from './log-finding.ts';
import { type KeyTools, LogKeys } from './log-keys.ts';
import { readPayload } from './log-payload.ts';
import { type LoggedStatement, readStatement } from './logged-statement.ts';

type Report = (finding: Omit<LogFinding, 'line'>) => void;

/** An entry with a payload. */
type ShownEntry = EntryLine & { payload: string };

/** The finding codes for domain errors. */
const CODES: Partial<Record<ErrorCode, FindingCode>> = {
  envelope_invalid: 'envelope_invalid',
  key_known: 'key_invalid',
  key_revoked: 'key_revoked',
  key_unknown: 'key_unknown',
  public_key_invalid: 'key_invalid',
  signature_invalid: 'signature_invalid',
};

/** Turns a domain error into a finding. Any other error is a bug and is rethrown. */
export function findingOf(error: unknown, what: string): Omit<LogFinding, 'line'> {
  if (!(error instanceof DomainError)) throw error;
  const places = error.faults.map(({ pointer, detail }) => ` ${pointer}: ${detail};`).join('');
  const code = CODES[error.code] ?? 'payload_invalid';
  return { code, message: `${what}: ${error.message}${places}` };
}

/** The most foreign addresses that are counted separately. */
const MAX_AUDIENCES = 10;

export class EntriesCheck {
  readonly chain: LogChain;
  readonly keys: LogKeys;
  signed = 0;
  selfReported = 0;
  /** The number of submissions that were signed for another address, by address. */
  readonly audiences = new Map<string, number>();
  readonly unknownKinds = new Set<string>();
  /** The entries whose submission could not be read. */
  readonly unreadable = new Set<number>();
  /** Operators with a submission that ever stopped or resumed counting, or with a replaced device. */
  readonly recounted = new Set<string>();
  /** Whether any ranking rules required stated days. */
  requiresStatedDays = false;
  /** The final codename of each visible operator. */
  readonly codenames = new Map<string, string>();
  /** The board that an entry pinned last. */
  pinned: { entry: number; board: BoardPayload } | null = null;
  readonly #baseUrl: string;
  #ruleset: string | null = null;

  constructor(baseUrl: string, tools: KeyTools) {
    this.#baseUrl = baseUrl;
    this.chain = new LogChain(tools.sha256);
    this.keys = new LogKeys(tools);
  }

  add(entry: EntryLine, report: Report): void {
    this.chain.add(entry, report);
    const { kind, log_index, payload, receipt } = entry;
    if (payload === null) return;
    const known = LogKind.safeParse(kind);
    const what = `entry ${log_index} (${kind})`;
    try {
      if (known.success) this.#kinds[known.data]({ ...entry, payload }, report);
      else this.unknownKinds.add(kind);
    } catch (error) {
      report({ ...findingOf(error, what), log_index });
    }
    if (receipt === null && kind !== 'snapshot') return;
    try {
      this.keys.checkReceipt(entry, this.#ruleset);
    } catch (error) {
      const { message } = findingOf(error, what);
      report({ code: 'receipt_invalid', message: `receipt of ${message}`, log_index });
    }
  }

  readonly #kinds: Readonly<Record<LogKind, (entry: ShownEntry, report: Report) => void>> = {
    board: ({ payload, log_index: entry }) => {
      this.pinned = { entry, board: readPayload('board', payload) };
    },
    'board-key': (entry) => this.keys.enterBoardKey(entry, parseJson(entry.payload)),
    enroll: ({ payload }) => {
      const enrolled = readPayload('enroll', payload);
      if (enrolled.replaces !== undefined) this.recounted.add(enrolled.operator);
      this.keys.enroll(enrolled);
    },
    erase: (entry, report) => {
      this.chain.erase(readPayload('erase', entry.payload).entries, entry, report);
    },
    hide: ({ payload }) => void readPayload('hide', payload),
    hold: (entry) => this.#decide(entry),
    'log-key': ({ payload }) => this.keys.enterLogKey(parseJson(payload)),
    lost: (entry, report) => {
      this.chain.lost(readPayload('lost', entry.payload).entries, entry, report);
    },
    reject: (entry) => this.#decide(entry),
    release: (entry) => this.#decide(entry),
    restore: (entry) => this.#decide(entry),
    revoke: ({ payload }) => {
      const revoked = readPayload('revoke', payload);
      if (revoked.reason === 'compromised') this.recounted.add(revoked.operator);
      this.keys.revoke(revoked);
    },
    ruleset: ({ payload }) => {
      const { id, stated_days = 0 } = readPayload('ruleset', payload);
      this.#ruleset = id;
      this.requiresStatedDays ||= stated_days > 0;
    },
    snapshot: (entry) => this.#submit(entry),
    unhide: ({ payload }) => void readPayload('unhide', payload),
    visibility: ({ payload }) => {
      const seen = readPayload('visibility', payload);
      this.codenames.set(seen.operator, seen.codename);
    },
    withdraw: (entry) => this.#decide(entry),
  };

  #decide({ payload, log_index }: ShownEntry): void {
    const decided = readPayload('hold', payload);
    this.recounted.add(decided.operator);
    if (decided.log_index >= log_index) {
      throw new DomainError(
        'validation_failed',
        'It is about a submission that comes later in the log',
      );
    }
  }

  #submit({ payload, log_index }: ShownEntry): void {
    const { envelope, audience } = this.#read(payload, log_index);
    if (!envelope) {
      this.selfReported += 1;
      return;
    }
    this.keys.checkSnapshot(envelope);
    this.signed += 1;
    if (audience === null || audience === this.#baseUrl) return;
    const known = this.audiences.get(audience) ?? 0;
    if (known > 0 || this.audiences.size < MAX_AUDIENCES) this.audiences.set(audience, known + 1);
  }

  #read(payload: string, log_index: number): LoggedStatement {
    try {
      return readStatement(payload);
    } catch (error) {
      this.unreadable.add(log_index);
      throw error;
    }
  }
}
