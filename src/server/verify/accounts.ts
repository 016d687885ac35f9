/** Compares what the tables store about each operator with the result of replaying the operator's log entries. */
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import type { LoggedOperator } from '#db/public-log.ts';
import type { OwnEntry, ReplayedBucket, ReplayedSubmission, StoredView } from '#db/replayed.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { firstDayOfMonth } from '#core/domain/counting/usage-block.ts';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import { isAlias } from '#core/domain/account/codename.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { LogAccounts } from '#core/domain/log/log-replay.ts';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import type { LoggedBoardKey, LoggedKey } from '#core/domain/log/log-keys.ts';
import type { LoggedAccount } from '#core/domain/log/logged-account.ts';
import type { LoggedStatement } from '#core/domain/log/logged-statement.ts';
import { stateOf } from '#core/domain/log/submission-state.ts';
import { visibilityOf } from '#core/domain/board/visibility.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { WholeFinding, WholeFindings } from './log.ts';
import { wrongFacts } from './facts.ts';
import type { BoardKeyRow } from '#db/secrets.ts';
import { privateKeyObject, signEd25519, verifyEd25519 } from '../process/crypto.ts';

type Stored = DatabaseInspection['replayed'];

/**
 * Compares the stored data of all operators, one at a time.
 *
 * @param check The result of checking the log's entries.
 */
export function checkAccounts(
  { operators, replayed }: Pick<DatabaseInspection, 'operators' | 'replayed'>,
  { keys, unreadable }: Pick<EntriesCheck, 'keys' | 'unreadable'>,
  findings: WholeFindings,
): void {
  const byOwner = Map.groupBy(keys.devices.entries(), ([, { operator }]) => operator);
  for (const operator of operators()) {
    const own = new Map(byOwner.get(operator.public_id));
    new AccountCheck(operator, { stored: replayed, keys: own, unreadable, findings }).run();
  }
  for (const log_index of replayed.unowned()) {
    const message = `entry ${log_index} must belong to an account, but does not`;
    findings.add({ code: 'entry_owner', message, log_index });
  }
  for (const log_index of replayed.strays()) {
    const message = `the submission of entry ${log_index} does not match an entry of its operator in the log`;
    findings.add({ code: 'submission_stray', message, log_index });
  }
}

interface Compared {
  stored: Stored;
  keys: ReadonlyMap<string, LoggedKey>;
  unreadable: ReadonlySet<number>;
  findings: WholeFindings;
}

class AccountCheck {
  readonly #operator: LoggedOperator;
  readonly #stored: Stored;
  readonly #keys: ReadonlyMap<string, LoggedKey>;
  readonly #findings: WholeFindings;
  readonly #log: LogAccounts;
  readonly #account: LoggedAccount;

  constructor(operator: LoggedOperator, { stored, keys, unreadable, findings }: Compared) {
    this.#operator = operator;
    this.#stored = stored;
    this.#keys = keys;
    this.#findings = findings;
    const recounted = new Set([operator.public_id]);
    this.#log = new LogAccounts({ recounted, unreadable, requiresStatedDays: false });
    this.#account = this.#log.account(operator.public_id);
  }

  run(): void {
    const { id } = this.#operator;
    const rows = new Map(this.#stored.submissions(id).map((row) => [row.log_index, row]));
    for (const entry of this.#stored.entries(id)) this.#apply(entry, rows.get(entry.log_index));
    this.#checkStates(rows);
    this.#checkBuckets();
    this.#checkKeys();
    this.#checkView();
  }

  #report(code: WholeFinding['code'], message: string, log_index?: number): void {
    const { public_id: operator, public_name: name } = this.#operator;
    const at = log_index === undefined ? {} : { log_index };
    this.#findings.add({ code, message: `${message} (${name})`, operator, name, ...at });
  }

  /** The check of the log has already reported unreadable entries. */
  #apply(entry: OwnEntry, row: ReplayedSubmission | undefined): void {
    const { log_index, kind } = entry;
    if (entry.payload === null) return;
    const payload = new TextDecoder().decode(entry.payload);
    const statement = readOr(() => this.#log.apply({ kind, log_index, payload }), null);
    if (kind === 'snapshot' && !statement) return;
    const isOwn = statement
      ? this.#account.submissions.has(log_index)
      : readOr(() => (JSON.parse(payload) as { operator?: unknown } | null)?.operator, null) ===
        this.#operator.public_id;
    if (!isOwn)
      this.#report('entry_owner', `entry ${log_index} belongs to another account`, log_index);
    if (statement && row) this.#checkSubmission(entry, row, statement);
  }

  #checkSubmission(entry: OwnEntry, row: ReplayedSubmission, statement: LoggedStatement): void {
    const { log_index } = entry;
    const what = `the submission of entry ${log_index}`;
    const wrong = wrongFacts(row, entry, statement);
    if (wrong.length > 0) {
      const message = `${what} differs from the log in: ${wrong.join(', ')}`;
      this.#report('submission_facts', message, log_index);
    }
    const keyid = statement.envelope?.keyid ?? null;
    const device = keyid === null ? row.device : this.#keys.get(keyid)?.device;
    const trust = keyid === null ? 'self_reported' : 'signed';
    if (row.keyid === keyid && row.device === device && row.trust === trust) return;
    this.#report('submission_stray', `${what} has a different device than in the log`, log_index);
  }

  #checkStates(rows: ReadonlyMap<number, ReplayedSubmission>): void {
    for (const [log_index, { state }] of this.#account.submissions) {
      const row = rows.get(log_index);
      if (!row) {
        const message = `entry ${log_index} is a submission, but it is not stored`;
        this.#report('submission_missing', message, log_index);
      } else if (row.state !== stateOf(state)) {
        const message = `the submission of entry ${log_index} is stored as ${row.state}, but the log says ${stateOf(state)}`;
        this.#report('submission_state', message, log_index);
      }
    }
  }

  #checkBuckets(): void {
    const rows = this.#stored.buckets(this.#operator.id);
    const stored = new Map(rows.map((bucket) => [this.#placeOf(bucket), bucket]));
    for (const bucket of this.#account.buckets) {
      const place = `${bucket.device_id}\n${bucketKey(bucket)}`;
      const found = stored.get(place);
      stored.delete(place);
      if (!found) this.#reportBucket(bucket, 'is missing');
      else if (!isSameContent(found, bucket)) this.#reportBucket(found, 'differs from the log');
    }
    for (const bucket of stored.values()) this.#reportBucket(bucket, 'is not in the log');
    for (const month of this.#stored.wrongMonths(this.#operator.id)) {
      const name = dayName(firstDayOfMonth(month)).slice(0, 7);
      this.#report('bucket', `the packed counts of ${name} differ from the daily counts`);
    }
  }

  #placeOf(bucket: ReplayedBucket): string {
    const device = bucket.trust === 'signed' ? bucket.device : null;
    return `${this.#log.deviceId(device)}\n${bucketKey(bucket)}`;
  }

  #reportBucket(bucket: CountedBucket, differs: string): void {
    const { day, tool, provider, model, log_index } = bucket;
    const message = `the daily count of ${day}, ${tool}, ${provider}, ${model} ${differs}`;
    this.#report('bucket', message, log_index);
  }

  #checkKeys(): void {
    const { id } = this.#operator;
    const missing = new Set(this.#keys.keys());
    for (const { keyid, device, public_key, is_revoked } of this.#stored.keys(id)) {
      const logged = this.#keys.get(keyid);
      missing.delete(keyid);
      const key = logged && [logged.device, toBase64Url(logged.publicKey), logged.isRevoked];
      if (key?.join() === [device, toBase64Url(public_key), is_revoked === 1].join()) continue;
      this.#report('stored_key', `the stored key ${keyid} differs from the log`);
    }
    for (const keyid of missing) {
      this.#report('stored_key', `the key ${keyid} is in the log, but not stored`);
    }
    const stored = new Set(this.#stored.replaced(id).map(({ device, by }) => `${device} by ${by}`));
    const logged = new Set(
      [...this.#log.keys.replaced].map(([device, by]) => `${device} by ${by}`),
    );
    for (const text of stored.symmetricDifference(logged)) {
      const where = stored.has(text) ? 'stored, but not in the log' : 'in the log, but not stored';
      this.#report('stored_key', `the replacement of device ${text} is ${where}`);
    }
  }

  /**
   * Compares the operator's visibility. The log does not record it for operators who never enrolled a device or
   * submitted.
   */
  #checkView(): void {
    const view = this.#stored.view(this.#operator.id);
    if (!view) return;
    this.#checkShown(view);
    if (!this.#account.view) return;
    const { codename, privacy_mode, data_opt_out } = this.#account.view;
    const logged = [codename, privacy_mode, data_opt_out === true ? 1 : 0];
    if (logged.join('\n') === [view.codename, view.privacy_mode, view.data_opt_out].join('\n'))
      return;
    this.#report('stored_view', 'the name, privacy mode or opt-out differs from the log');
  }

  /**
   * Compares whether the admin hides the operator, and what the public sees. Of an alias, only its form can be
   * checked.
   */
  #checkShown({ public_name, is_open, hidden_at, codename, privacy_mode }: StoredView): void {
    if (hidden_at === undefined || public_name === undefined) return;
    if ((hidden_at !== null) !== this.#account.isHidden) {
      const message =
        hidden_at === null
          ? 'the operator is not hidden, but the log says hidden'
          : 'the operator is hidden, but the log says not hidden';
      this.#report('stored_view', message);
    }
    const alias = public_name !== null && isAlias(public_name) ? public_name : '';
    const seen = visibilityOf(privacy_mode, { codename, alias, isHidden: hidden_at !== null });
    if (seen.public_name === public_name && seen.is_open === (is_open === 1)) return;
    this.#report('stored_view', 'the public name does not match the privacy mode');
  }
}

/** Whether everything stored in a daily count is the same, including which of it counts. */
function isSameContent(one: CountedBucket, other: CountedBucket): boolean {
  return (
    hasSamePillars(one, other) &&
    hasSamePillars(one.counted, other.counted) &&
    one.log_index === other.log_index &&
    one.counts === other.counts &&
    (one.fingerprint ?? null) === (other.fingerprint ?? null)
  );
}

function hasSamePillars(one: Pillars, other: Pillars): boolean {
  return (
    one.input === other.input &&
    one.output === other.output &&
    one.cache_write === other.cache_write &&
    one.cache_read === other.cache_read
  );
}

function readOr<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Otherwise | Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError || error instanceof SyntaxError) return otherwise;
    throw error;
  }
}

/** Finds board keys that are missing or not in the log, and secrets that do not match their public keys. */
export function checkBoardKeys(
  rows: readonly BoardKeyRow[],
  entered: readonly LoggedBoardKey[],
  findings: WholeFindings,
): void {
  const report = (message: string) => findings.add({ code: 'stored_key', message });
  const stored = new Map(rows.map((row) => [row.keyid, row]));
  for (const { keyid, public_key, log_index, received_at } of entered) {
    const row = stored.get(keyid);
    stored.delete(keyid);
    if (!row) {
      report(`the board key ${keyid} is in the log, but not stored`);
      continue;
    }
    const own = [toBase64Url(row.public_key), row.log_index, row.created_at];
    if (own.join(' ') !== [public_key, log_index, received_at].join(' ')) {
      report(`the stored board key ${keyid} differs from the log`);
    } else if (!canSign(row)) {
      report(`the secret of the board key ${keyid} belongs to another key`);
    }
  }
  for (const keyid of stored.keys()) report(`the board key ${keyid} is not in the log`);
}

function canSign({ secret_key, public_key }: BoardKeyRow): boolean {
  const message = new TextEncoder().encode('opbench');
  try {
    const signature = signEd25519(message, privateKeyObject(secret_key, public_key));
    return verifyEd25519(message, signature, public_key);
  } catch {
    return false;
  }
}
