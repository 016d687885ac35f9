/**
 * The second pass over a public log: replays the entries and recomputes each board at its position.
 *
 * @module
 */
import type { Calibration } from '#core/schema/calibration.ts';
import type { BoardLine, EntryLine, PublicLogLine } from '#core/schema/public-log.ts';
import { calibrate } from '../board/calibration.ts';
import { dayNumber } from '../counting/day.ts';
import type { DaySeries } from '../metrics/day-series.ts';
import { BoardCheck, type CheckedBoard } from './board-check.ts';
import { DomainError } from '../text/errors.ts';
import type { EntriesCheck } from './log-entries-check.ts';
import type { Findings } from './log-finding.ts';
import type { EnrollPayload } from '#core/schema/log-payload.ts';
import type { LogKind } from '#core/schema/log.ts';
import { DeviceKeys } from './device-keys.ts';
import { readPayload } from './log-payload.ts';
import { LoggedAccount } from './logged-account.ts';
import { type LoggedStatement, readStatementAgain } from './logged-statement.ts';
import { internTexts } from './packed-submissions.ts';
import type { Ruleset } from '../board/ruleset.ts';
import type { StateKind } from './submission-state.ts';

/** What the first pass found out about submissions. */
interface KnownSubmissions {
  /** The operators whose submissions are recounted at some point. */
  recounted: ReadonlySet<string>;
  /** The entries whose submission could not be read. */
  unreadable: ReadonlySet<number>;
  /** Whether any ranking rules required stated days. Without, they are not kept. */
  requiresStatedDays: boolean;
}

/** The results of the first pass. */
interface Known extends KnownSubmissions, Pick<EntriesCheck, 'codenames'> {
  chain: Pick<EntriesCheck['chain'], 'emptyIn'>;
}

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
    this.#accounts = new LogAccounts(known);
  }

  /** @param number The line number, starting at 1. */
  add(line: PublicLogLine, number: number): void {
    if (this.#isEnded) return;
    if (line.line === 'standing') return this.#board?.add(number, line);
    this.#finishBoard();
    if (line.line === 'end') this.#isEnded = true;
    if (line.line === 'entry') this.#apply(line);
    if (line.line === 'board') this.#begin(line, number);
  }

  /** Called if a line could not be read, which may have been a row of the current board. */
  lose(): void {
    this.#board?.lose();
  }

  finish(): void {
    this.#finishBoard();
  }

  /** The calibration after all entries, of the operators whose entries the file shows; null without ranking rules. */
  calibrationOf(end: Pick<Calibration, 'as_of' | 'log_index'>): Calibration | null {
    const { ruleset } = this.#accounts;
    if (!ruleset) return null;
    return { ...end, ...calibrate(this.#seenDays(), { last: dayNumber(end.as_of), ruleset }) };
  }

  *#seenDays(): Generator<DaySeries> {
    for (const account of this.#accounts.all.values()) {
      const days = account.isSeen ? account.signedDays : null;
      if (days) yield days;
    }
  }

  #apply(entry: EntryLine): void {
    try {
      this.#accounts.apply(entry);
    } catch (error) {
      // The first pass has already reported it.
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

/** The members of an entry that are needed. */
type AppliedEntry = Pick<EntryLine, 'kind' | 'log_index' | 'payload'>;

/** All operators and the current ruleset after the applied entries. */
export class LogAccounts {
  readonly all = new Map<string, LoggedAccount>();
  ruleset: Ruleset | null = null;
  /** Whether any ruleset so far ranked by intervals. Boards have intervals since then. */
  hasIntervals = false;
  readonly #known: KnownSubmissions;
  readonly keys = new DeviceKeys<{ operator: string; device: string }>();
  readonly #devices = new Map<string | null, number>();
  readonly #intern = internTexts();

  /** @param known The result of the first pass over the same entries. */
  constructor(known: KnownSubmissions) {
    this.#known = known;
  }

  /**
   * Applies an entry.
   *
   * @returns The contents, if it is a submission that can be read.
   * @throws {DomainError} if the payload of another entry cannot be read.
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
      account = new LoggedAccount(this.#known.recounted.has(operator), this.#intern);
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

  #submit(payload: string, log_index: number): LoggedStatement | null {
    if (this.#known.unreadable.has(log_index)) return null;
    const statement = readStatementAgain(payload);
    const { envelope, operator: named, correction, buckets } = statement;
    const key = envelope ? this.keys.get(envelope.keyid) : undefined;
    const operator = envelope ? key?.operator : named;
    if (!operator) return statement;
    const device_id = this.deviceId(key?.device ?? null);
    const trust = envelope ? 'signed' : 'self_reported';
    const account = this.account(operator);
    account.submit({ device_id, log_index, trust, correction, buckets });
    this.#cover(account, log_index, statement);
    return statement;
  }

  /** Keeps the days that a submission states, if they can matter. */
  #cover(account: LoggedAccount, log_index: number, { envelope, covers }: LoggedStatement): void {
    if (this.#known.requiresStatedDays && envelope && covers) account.cover(log_index, covers);
  }

  /** A number for a device; null stands for self-reported counts. */
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
