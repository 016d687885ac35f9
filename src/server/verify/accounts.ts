/** What the tables tell of each operator, compared with a replay of the operator's own entries. */
import type { Inspection } from '#db/engine/inspection.ts';
import type { LoggedOperator } from '#db/public-log.ts';
import type { OwnEntry, StoredSubmission, StoredView } from '#db/replayed.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import { isAlias } from '#core/domain/account/codename.ts';
import { type CountedBucket, Replay } from '#core/domain/counting/counting.ts';
import { DeviceKeys } from '#core/domain/log/device-keys.ts';
import { readStatement } from '#core/domain/log/logged-statement.ts';
import {
  ACCEPTED,
  type LoggedState,
  type StateKind,
  afterEntry,
  afterRecall,
  stateOf,
} from '#core/domain/log/submission-state.ts';
import { visibilityOf } from '#core/domain/board/visibility.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { WholeFinding, WholeFindings } from './findings.ts';
import { wrongFacts } from './facts.ts';

type Told = Partial<Record<string, unknown>>;

/** What the log tells of one of an operator's submissions. */
interface Sent {
  statement: ReturnType<typeof readStatement> | null;
  state: LoggedState;
}

/** Compares what is stored of all operators, one at a time. */
export function checkAccounts(
  { operators, replayed }: Pick<Inspection, 'operators' | 'replayed'>,
  findings: WholeFindings,
): void {
  for (const operator of operators()) new AccountCheck(operator, replayed, findings).run();
  for (const log_index of replayed.unowned()) {
    const message = `entry ${log_index} belongs to no account, but its kind must`;
    findings.add({ code: 'entry_owner', message, log_index });
  }
  for (const log_index of replayed.strays()) {
    const message = `the submission of entry ${log_index} is not in the log as its operator's`;
    findings.add({ code: 'submission_stray', message, log_index });
  }
}

/** A key as the log has it. */
interface EnteredKey {
  operator: string;
  device: string;
  public_key: unknown;
  isRevoked: boolean;
}

/** One operator: the log's entries in their order, then the tables. */
class AccountCheck {
  readonly #operator: LoggedOperator;
  readonly #stored: Inspection['replayed'];
  readonly #findings: WholeFindings;
  readonly #keys = new DeviceKeys<EnteredKey>();
  /** The device that each replaced one is part of. */
  readonly #replaced = new Map<string, string>();
  readonly #sent = new Map<number, Sent>();
  #view: Told | null = null;
  #isHidden = false;

  constructor(operator: LoggedOperator, stored: Inspection['replayed'], findings: WholeFindings) {
    this.#operator = operator;
    this.#stored = stored;
    this.#findings = findings;
  }

  run(): void {
    const { id } = this.#operator;
    const submissions = new Map(this.#stored.submissions(id).map((row) => [row.log_index, row]));
    for (const entry of this.#stored.entries(id)) this.#apply(entry, submissions);
    this.#checkSubmissions(submissions);
    this.#checkBuckets(submissions);
    this.#checkKeys();
    this.#checkView();
  }

  #report(code: WholeFinding['code'], message: string, log_index?: number): void {
    const { public_id: operator, public_name: name } = this.#operator;
    const at = log_index === undefined ? {} : { log_index };
    this.#findings.add({ code, message: `${message} (${name})`, operator, name, ...at });
  }

  /** What cannot be read was found by the first reading. */
  #apply(entry: OwnEntry, submissions: Map<number, StoredSubmission>): void {
    const { log_index, kind, payload } = entry;
    if (payload === null) return;
    const text = new TextDecoder().decode(payload);
    if (kind === 'snapshot') return this.#submit(entry, text, submissions.get(log_index));
    const told = readOr<Told>(() => JSON.parse(text) as Told, {});
    if (told['operator'] !== this.#operator.public_id) {
      this.#report('entry_owner', `entry ${log_index} is of another account`, log_index);
    }
    if (kind === 'enroll') this.#enroll(told);
    if (kind === 'revoke') this.#revoke(told);
    if (kind === 'visibility') this.#view = told;
    if (kind === 'hide' || kind === 'unhide') this.#isHidden = kind === 'hide';
    if (isStateKind(kind)) this.#decide(Number(told['log_index']), kind);
  }

  #submit(entry: OwnEntry, payload: string, row: StoredSubmission | undefined): void {
    const { log_index } = entry;
    const statement = readOr(() => readStatement(payload), null);
    this.#sent.set(log_index, { statement, state: ACCEPTED });
    if (!statement) return;
    const isOwn = statement.envelope
      ? this.#keys.get(statement.envelope.keyid) !== undefined
      : statement.operator === this.#operator.public_id;
    if (!isOwn) this.#report('entry_owner', `entry ${log_index} is of another account`, log_index);
    const wrong = row ? wrongFacts(row, entry, statement) : [];
    if (wrong.length === 0) return;
    const message = `the submission of entry ${log_index} is stored with another ${wrong.join(', ')} than the log tells`;
    this.#report('submission_facts', message, log_index);
  }

  #decide(log_index: number, kind: StateKind): void {
    const sent = this.#sent.get(log_index);
    if (sent) sent.state = afterEntry(sent.state, kind);
  }

  /** A replaced device's keys are the other's from then on, and sign no more. */
  #enroll({ device: entered, keyid, public_key, replaces }: Told): void {
    const operator = this.#operator.public_id;
    const device = String(entered);
    this.#keys.add(String(keyid), { operator, device, public_key, isRevoked: false });
    if (typeof replaces !== 'string') return;
    for (const key of this.#keys.replace({ operator, device, replaces })) key.isRevoked = true;
    for (const [replaced, by] of this.#replaced) {
      if (by === replaces) this.#replaced.set(replaced, device);
    }
    this.#replaced.set(replaces, device);
  }

  /** Of a compromised device all keys are revoked, and all that counted or was held is taken back. */
  #revoke({ keyid, device, reason }: Told): void {
    const isAll = reason === 'compromised';
    const revoked = isAll ? this.#keys.ofDevice(String(device)) : [];
    for (const key of [...revoked, this.#keys.get(String(keyid))]) if (key) key.isRevoked = true;
    if (!isAll) return;
    for (const sent of this.#sent.values()) {
      const isOfDevice = this.#deviceOf(sent) === device;
      if (isOfDevice) sent.state = afterRecall(sent.state);
    }
  }

  /** The device that a submission counts for at this place in the log; undefined for one sent by hand. */
  #deviceOf({ statement }: Sent): string | undefined {
    return this.#keys.get(statement?.envelope?.keyid ?? '')?.device;
  }

  #checkSubmissions(submissions: ReadonlyMap<number, StoredSubmission>): void {
    for (const [log_index, { state: logged, statement }] of this.#sent) {
      const state = stateOf(logged);
      const row = submissions.get(log_index);
      if (!row) {
        const message = `entry ${log_index} is a submission, but none is stored`;
        this.#report('submission_missing', message, log_index);
        continue;
      }
      if (row.state !== state) {
        const message = `the submission of entry ${log_index} is ${row.state}, and ${state} by the log`;
        this.#report('submission_state', message, log_index);
      }
      const keyid = statement?.envelope?.keyid ?? null;
      if (!statement || (row.keyid === keyid && this.#isOfDevice(row))) continue;
      const message = `the submission of entry ${log_index} names another device than the log`;
      this.#report('submission_stray', message, log_index);
    }
  }

  #isOfDevice({ keyid, device, trust }: StoredSubmission): boolean {
    if (keyid === null) return trust === 'self_reported';
    return trust === 'signed' && this.#keys.get(keyid)?.device === device;
  }

  #checkBuckets(submissions: ReadonlyMap<number, StoredSubmission>): void {
    const replay = new Replay();
    for (const [log_index, { state, statement }] of this.#sent) {
      const row = submissions.get(log_index);
      if (stateOf(state) !== 'accepted' || !statement || !row) continue;
      const { device_id, trust } = row;
      const { correction, buckets } = statement;
      replay.apply({ device_id, log_index, trust, correction, buckets });
    }
    const stored = new Map(this.#stored.buckets(this.#operator.id).map((b) => [placeOf(b), b]));
    for (const bucket of replay.result()) {
      const found = stored.get(placeOf(bucket));
      stored.delete(placeOf(bucket));
      if (!found || contentOf(found) !== contentOf(bucket)) this.#reportBucket(found, bucket);
    }
    for (const bucket of stored.values()) this.#reportBucket(bucket, undefined);
  }

  #reportBucket(stored: CountedBucket | undefined, replayed: CountedBucket | undefined): void {
    const bucket = (stored ?? replayed) as CountedBucket;
    const { day, tool, provider, model, log_index } = bucket;
    const differs = !stored ? 'is missing' : replayed ? 'is another' : 'is too many';
    const message = `the bucket of ${day}, ${tool}, ${provider}, ${model} ${differs} by the log`;
    this.#report('bucket', message, log_index);
  }

  #checkKeys(): void {
    const { id } = this.#operator;
    const missing = new Set([...this.#keys.entries()].map(([keyid]) => keyid));
    for (const { keyid, device, public_key, is_revoked } of this.#stored.keys(id)) {
      const logged = this.#keys.get(keyid);
      missing.delete(keyid);
      const isSame = logged?.device === device && logged.public_key === toBase64Url(public_key);
      if (isSame && logged.isRevoked === (is_revoked === 1)) continue;
      this.#report('stored_key', `the key ${keyid} is not stored as the log enrolled it`);
    }
    for (const keyid of missing) {
      this.#report('stored_key', `the key ${keyid} is enrolled by the log, but not stored`);
    }
    const stored = this.#stored.replaced(id).map(({ device, by }) => `${device} by ${by}`);
    const logged = [...this.#replaced].map(([device, by]) => `${device} by ${by}`);
    for (const text of new Set(stored).symmetricDifference(new Set(logged))) {
      const where = stored.includes(text)
        ? 'stored, but not in the log'
        : 'in the log, but not stored';
      this.#report('stored_key', `the replacement of device ${text} is ${where}`);
    }
  }

  /** How the operator is seen; the log does not tell it of who never had a device and sent nothing. */
  #checkView(): void {
    const view = this.#stored.view(this.#operator.id);
    if (!view) return;
    this.#checkShown(view);
    if (!this.#view) return;
    const { codename, privacy_mode, data_opt_out } = this.#view;
    const logged = [codename, privacy_mode, data_opt_out === true ? 1 : 0];
    if (logged.join('\n') === [view.codename, view.privacy_mode, view.data_opt_out].join('\n'))
      return;
    this.#report('stored_view', 'name, privacy mode or opt-out differ from the log');
  }

  /** Whether the keeper hides the operator, and what the public sees; of an alias no more than that it is one. */
  #checkShown({ public_name, is_open, hidden_at, codename, privacy_mode }: StoredView): void {
    if (hidden_at === undefined || public_name === undefined) return;
    if ((hidden_at !== null) !== this.#isHidden) {
      const message =
        hidden_at === null ? 'is not hidden, but by the log' : 'is hidden, but not by the log';
      this.#report('stored_view', message);
    }
    const alias = public_name !== null && isAlias(public_name) ? public_name : '';
    const seen = visibilityOf(privacy_mode, { codename, alias, isHidden: hidden_at !== null });
    if (seen.public_name === public_name && seen.is_open === (is_open === 1)) return;
    this.#report('stored_view', 'is shown otherwise than the privacy mode allows');
  }
}

function isStateKind(kind: OwnEntry['kind']): kind is StateKind {
  return ['hold', 'reject', 'release', 'restore', 'withdraw'].includes(kind);
}

function placeOf(bucket: CountedBucket): string {
  return `${bucket.device_id}\n${bucketKey(bucket)}`;
}

/** All that is stored of a bucket, what counts of it among it. */
function contentOf(bucket: CountedBucket): string {
  const { log_index, counts, counted, fingerprint } = bucket;
  return [...pillarsOf(bucket), ...pillarsOf(counted), log_index, counts, fingerprint].join(' ');
}

function pillarsOf({ input, output, cache_write, cache_read }: Pillars) {
  return [input, output, cache_write, cache_read];
}

function readOr<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
