/**
 * What the log's entries, replayed in order, say of all operators.
 *
 * @module
 */
import {
  DecisionPayload,
  EnrollPayload,
  HidePayload,
  RevokePayload,
  RulesetPayload,
  VisibilityPayload,
} from '#core/schema/log-payload.ts';
import type { LogKind } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { DeviceKeys } from './device-keys.ts';
import { parseAs } from '../text/faults.ts';
import { parseJson } from '../text/json.ts';
import { LoggedAccount } from './logged-account.ts';
import { readStatement } from './logged-statement.ts';
import type { Ruleset } from '../board/ruleset.ts';
import type { StateKind } from './submission-state.ts';

/** All operators after the entries that were applied, and the rules in force. */
export class LogAccounts {
  readonly all = new Map<string, LoggedAccount>();
  ruleset: Ruleset | null = null;
  /** Whether a ruleset ever ranked by intervals; boards have them ever since. */
  hasIntervals = false;
  readonly #recounted: ReadonlySet<string>;
  readonly #keys = new DeviceKeys<{ operator: string; device: string }>();
  readonly #devices = new Map<string, number>();

  /** @param recounted The operators whose submissions are counted anew at some place, as {@linkcode EntriesCheck} finds them. */
  constructor(recounted: ReadonlySet<string>) {
    this.#recounted = recounted;
  }

  /**
   * Applies an entry.
   *
   * @throws {DomainError} if its payload cannot be read.
   */
  apply({ kind, log_index, payload }: EntryLine): void {
    const read = READERS[kind as LogKind];
    if (payload === null || !read) return;
    read(this, payload, log_index);
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
    this.#keys.add(keyid, { operator, device });
    if (replaces === undefined) return;
    const moved = this.#keys.replace({ operator, device, replaces });
    if (moved.length === 0) return;
    this.account(operator).replace(this.deviceId(replaces), this.deviceId(device));
  }

  submit(payload: string, log_index: number): void {
    const { envelope, operator: named, correction, buckets } = readStatement(payload);
    const key = envelope ? this.#keys.get(envelope.keyid) : undefined;
    const operator = envelope ? key?.operator : named;
    if (!operator) return;
    const device_id = this.deviceId(key?.device ?? `by hand ${operator}`);
    const trust = envelope ? 'signed' : 'self_reported';
    this.account(operator).submit({ device_id, log_index, trust, correction, buckets });
  }

  /** A number for a device. */
  deviceId(device: string): number {
    const known = this.#devices.get(device) ?? this.#devices.size;
    this.#devices.set(device, known);
    return known;
  }
}

type Read = (accounts: LogAccounts, payload: string, log_index: number) => void;

const READERS: Partial<Record<LogKind, Read>> = {
  enroll: (accounts, payload) => {
    accounts.enroll(parseAs(EnrollPayload, parseJson(payload), 'The payload'));
  },
  hide: (accounts, payload) => setHidden(accounts, payload, true),
  hold: (accounts, payload) => decide(accounts, payload, 'hold'),
  reject: (accounts, payload) => decide(accounts, payload, 'reject'),
  release: (accounts, payload) => decide(accounts, payload, 'release'),
  restore: (accounts, payload) => decide(accounts, payload, 'restore'),
  revoke: (accounts, payload) => {
    const { operator, device, reason } = parseAs(RevokePayload, parseJson(payload), 'The payload');
    if (reason !== 'compromised') return;
    accounts.account(operator).recall(accounts.deviceId(device));
  },
  ruleset: (accounts, payload) => {
    accounts.ruleset = parseAs(RulesetPayload, parseJson(payload), 'The payload');
    accounts.hasIntervals ||= accounts.ruleset.interval !== undefined;
  },
  snapshot: (accounts, payload, log_index) => accounts.submit(payload, log_index),
  unhide: (accounts, payload) => setHidden(accounts, payload, false),
  visibility: (accounts, payload) => {
    const value = parseJson(payload);
    const { operator, privacy_mode } = parseAs(VisibilityPayload, value, 'The payload');
    accounts.account(operator).setMode(privacy_mode);
  },
  withdraw: (accounts, payload) => decide(accounts, payload, 'withdraw'),
};

function setHidden(accounts: LogAccounts, payload: string, isHidden: boolean): void {
  const { operator } = parseAs(HidePayload, parseJson(payload), 'The payload');
  accounts.account(operator).setHidden(isHidden);
}

function decide(accounts: LogAccounts, payload: string, kind: StateKind): void {
  const { operator, log_index } = parseAs(DecisionPayload, parseJson(payload), 'The payload');
  accounts.account(operator).decide(log_index, kind);
}
