/**
 * The second reading of a public log: replays the entries and recomputes each board where it stands.
 *
 * @module
 */
import type { BoardLine, EntryLine, PublicLogLine } from '#core/schema/public-log.ts';
import { BoardCheck, type CheckedBoard } from './board-check.ts';
import { DomainError } from '../text/errors.ts';
import type { EntriesCheck } from './log-entries-check.ts';
import type { Findings } from './log-finding.ts';
import type { EnrollPayload } from '#core/schema/log-payload.ts';
import type { LogKind } from '#core/schema/log.ts';
import { DeviceKeys } from './device-keys.ts';
import { readPayload } from './log-payload.ts';
import { LoggedAccount } from './logged-account.ts';
import { type LoggedStatement, readStatement } from './logged-statement.ts';
import type { Ruleset } from '../board/ruleset.ts';
import type { StateKind } from './submission-state.ts';

/** What the first reading has found out. */
type Known = Pick<EntriesCheck, 'codenames' | 'recounted'> & {
  chain: Pick<EntriesCheck['chain'], 'emptyIn'>;
};

export class LogReplay {
  readonly boards: CheckedBoard[] = [];
  readonly #known: Known;
  readonly #findings: Findings;
  readonly #accounts: LogAccounts;
  #board: BoardCheck | null = null;
  #isEnded = false;

  constructor(known: Known, findings: Findings) {
    this.#known = known;
    this.#findings = findings;
    this.#accounts = new LogAccounts(known.recounted);
  }

  /** @param number The line's, from 1 on. */
  add(line: PublicLogLine, number: number): void {
    if (this.#isEnded) return;
    if (line.line === 'standing') return this.#board?.add(number, line);
    this.#finishBoard();
    if (line.line === 'end') this.#isEnded = true;
    if (line.line === 'entry') this.#apply(line);
    if (line.line === 'board') this.#begin(line, number);
  }

  /** A line could not be read; behind an open board it may have been one of its rows. */
  lose(): void {
    this.#board?.lose();
  }

  finish(): void {
    this.#finishBoard();
  }

  #apply(entry: EntryLine): void {
    try {
      this.#accounts.apply(entry);
    } catch (error) {
      // The first reading has said so.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  #begin(board: BoardLine, line: number): void {
    const { chain, codenames } = this.#known;
    this.#board = new BoardCheck(board, {
      line,
      accounts: this.#accounts,
      codenames,
      mayHaveGaps: board.kept === 'daily' && chain.emptyIn(1, board.log_index) > 0,
      report: (finding) => this.#findings.add(finding),
    });
  }

  #finishBoard(): void {
    if (this.#board) this.boards.push(this.#board.finish());
    this.#board = null;
  }
}

/** What is read of an entry. */
type AppliedEntry = Pick<EntryLine, 'kind' | 'log_index' | 'payload'>;

/** All operators after the entries that were applied, and the rules in force. */
export class LogAccounts {
  readonly all = new Map<string, LoggedAccount>();
  ruleset: Ruleset | null = null;
  /** Whether a ruleset ever ranked by intervals; boards have them ever since. */
  hasIntervals = false;
  readonly #recounted: ReadonlySet<string>;
  readonly keys = new DeviceKeys<{ operator: string; device: string }>();
  readonly #devices = new Map<string | null, number>();

  /** @param recounted The operators whose submissions are counted anew at some place, as {@linkcode EntriesCheck} finds them. */
  constructor(recounted: ReadonlySet<string>) {
    this.#recounted = recounted;
  }

  /**
   * Applies an entry.
   *
   * @returns What it states, if it is a submission.
   * @throws {DomainError} if its payload cannot be read.
   */
  apply({ kind, log_index, payload }: AppliedEntry): LoggedStatement | null {
    if (payload === null) return null;
    if (kind === 'snapshot') return this.#submit(payload, log_index);
    READERS[kind as LogKind]?.(this, payload);
    return null;
  }

  account(operator: string): LoggedAccount {
    let account = this.all.get(operator);
    if (!account) {
      account = new LoggedAccount(this.#recounted.has(operator));
      this.all.set(operator, account);
    }
    return account;
  }

  enroll({ keyid, operator, device, replaces }: EnrollPayload): void {
    this.keys.add(keyid, { operator, device });
    if (replaces === undefined) return;
    const moved = this.keys.replace({ operator, device, replaces });
    if (moved.length === 0) return;
    this.account(operator).replace(this.deviceId(replaces), this.deviceId(device));
  }

  #submit(payload: string, log_index: number): LoggedStatement {
    const statement = readStatement(payload);
    const { envelope, operator: named, correction, buckets } = statement;
    const key = envelope ? this.keys.get(envelope.keyid) : undefined;
    const operator = envelope ? key?.operator : named;
    if (!operator) return statement;
    const device_id = this.deviceId(key?.device ?? null);
    const trust = envelope ? 'signed' : 'self_reported';
    this.account(operator).submit({ device_id, log_index, trust, correction, buckets });
    return statement;
  }

  /** A number for a device, or for what operators sent by hand. */
  deviceId(device: string | null): number {
    const known = this.#devices.get(device) ?? this.#devices.size;
    this.#devices.set(device, known);
    return known;
  }
}

type Read = (accounts: LogAccounts, payload: string) => void;

const READERS: Partial<Record<LogKind, Read>> = {
  enroll: (accounts, payload) => accounts.enroll(readPayload('enroll', payload)),
  hide: (accounts, payload) => setHidden(accounts, payload, true),
  hold: (accounts, payload) => decide(accounts, payload, 'hold'),
  reject: (accounts, payload) => decide(accounts, payload, 'reject'),
  release: (accounts, payload) => decide(accounts, payload, 'release'),
  restore: (accounts, payload) => decide(accounts, payload, 'restore'),
  revoke: (accounts, payload) => {
    const { operator, device, reason } = readPayload('revoke', payload);
    if (reason !== 'compromised') return;
    accounts.account(operator).compromise(accounts.deviceId(device));
  },
  ruleset: (accounts, payload) => {
    accounts.ruleset = readPayload('ruleset', payload);
    accounts.hasIntervals ||= accounts.ruleset.interval !== undefined;
  },
  unhide: (accounts, payload) => setHidden(accounts, payload, false),
  visibility: (accounts, payload) => {
    const view = readPayload('visibility', payload);
    accounts.account(view.operator).view = view;
  },
  withdraw: (accounts, payload) => decide(accounts, payload, 'withdraw'),
};

function setHidden(accounts: LogAccounts, payload: string, isHidden: boolean): void {
  accounts.account(readPayload('hide', payload).operator).isHidden = isHidden;
}

function decide(accounts: LogAccounts, payload: string, kind: StateKind): void {
  const { operator, log_index } = readPayload(kind, payload);
  accounts.account(operator).decide(log_index, kind);
}
