/**
 * The check of a board's log at each run: it still extends what this device saw before, and it contains every
 * submission that the board confirmed to this device. It runs after the work of a command, and does not fail because a
 * board cannot be reached.
 *
 * @module
 */
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { LocalDevice } from '../device.ts';
import { Failure, orNull } from '../failure.ts';
import type { PublicLogReport } from '../reports.ts';
import type { KeptReceipt } from '../state/board-files.ts';
import type { Identity } from '../state/keystore.ts';
import { type Asked, type Grown, checkGrowth } from './growth.ts';
import { KeptLog, type TrustedCheckpoint, type TrustedLog } from './kept-log.ts';
import { LogAlarm, LogContradiction, entriesText } from './log-alarm.ts';
import { askLogKey } from './log-key.ts';
import { logReport, receiptsDue, receiptsOf } from './log-report.ts';
import { counted } from '../text/figures.ts';
import { type ProofAnswer, askProof } from './ask-proof.ts';
import { ownPolicy, requiresWitnesses } from './policies.ts';

/**
 * The most requests for proofs of one run, and the time after which it leaves the rest to the next one. Boards allow 60
 * public requests a minute from an address.
 */
const MAX_REQUESTS = 40;
const MAX_MS = 20_000;

/**
 * A confirmed submission should be in the log after this time. Boards update it every few minutes. A board that is
 * stopped, or a wrong clock, is not evidence, so the person is only told.
 */
const LATE_MS = DAY_MS;

/**
 * Checks the log of a board.
 *
 * @returns Null if the board has no log that can be checked, because it is older.
 * @throws {LogAlarm} if the log contradicts what the board showed or confirmed before.
 */
export async function checkLog(
  device: LocalDevice,
  identity: Identity,
): Promise<PublicLogReport | null> {
  const check = new LogChecker(device, identity);
  try {
    return logReport(device, identity, await check.run());
  } catch (error) {
    if (error instanceof LogContradiction) throw check.alarm(error);
    if (!(error instanceof Failure)) throw error;
    return logReport(device, identity, `the public log could not be checked: ${error.message}`);
  }
}

/**
 * Trusts the current log of a board, although it contradicts the earlier one. What was known is renamed, and lost
 * entries are not looked up again.
 *
 * @throws {Failure} if the board cannot be asked, or its key did not sign the key of the log.
 */
export async function acceptLog(device: LocalDevice, identity: Identity): Promise<void> {
  const check = new LogChecker(device, identity);
  try {
    await check.accept();
  } catch (error) {
    throw error instanceof LogContradiction ? check.alarm(error) : error;
  }
}

/** Trusts the log of a board at enrollment. If the board cannot be asked, the first check does it. */
export async function pinLog(device: LocalDevice, identity: Identity): Promise<void> {
  try {
    await new LogChecker(device, identity).pin();
  } catch (error) {
    if (!(error instanceof Failure || error instanceof LogContradiction)) throw error;
  }
}

class LogChecker {
  readonly #device: LocalDevice;
  readonly #identity: Identity;
  readonly #kept: KeptLog;
  readonly #startedMs: number;

  constructor(device: LocalDevice, identity: Identity) {
    this.#device = device;
    this.#identity = identity;
    this.#kept = new KeptLog(device.keystore.folderOf(identity.board));
    this.#startedMs = device.nowMs();
  }

  /** @returns Something that the person should know; null if there is nothing. */
  async run(): Promise<string | null> {
    const wasDamaged = this.#kept.isDamaged;
    const before = await this.pin();
    if (!before) return null;
    const log = await this.#grow(before);
    const note = await this.#prove(log);
    if (note !== null) return note;
    if (wasDamaged)
      return 'what was known of the public log was damaged, so this check started from the beginning';
    const [key, earlier] = [log.keys[0], before.keys[0]];
    return key.vkey === earlier.vkey ? null : `the public log has a new key, ${key.vkey}`;
  }

  /** The log as it is known; at first use, its key is requested. Null if the board has no key for it. */
  async pin(): Promise<TrustedLog | null> {
    const known = this.#kept.read();
    if (known?.board_public_key === this.#identity.board_public_key) return known;
    const key = await askLogKey(this.#device.client, this.#identity);
    if (!key) return null;
    // Another board answers at this address since the device enrolled again.
    if (known) this.#kept.setAside(this.#now);
    const log = this.#trust([key]);
    this.#kept.save(log);
    return log;
  }

  /** Changes nothing if a request fails. */
  async accept(): Promise<void> {
    const key = await askLogKey(this.#device.client, this.#identity);
    if (!key) return;
    const earlier = this.#kept.read()?.keys ?? [];
    const log = this.#trust([key, ...earlier.filter(({ vkey }) => vkey !== key.vkey)]);
    const grown = await checkGrowth(this.#asked, log);
    const given_up: string[] = [];
    for (const receipt of receiptsOf(this.#device, this.#identity)) {
      const { state } = await this.#ask(receipt, grown);
      if (state === 'missing' || state === 'later') given_up.push(receipt.entry_hash);
    }
    this.#kept.setAside(this.#now);
    this.#kept.save({ ...log, checkpoint: grown.checkpoint, checked_at: this.#now, given_up });
  }

  #trust(keys: TrustedLog['keys']): TrustedLog {
    const { board_public_key } = this.#identity;
    return { board_public_key, keys, checkpoint: null, checked_at: null, given_up: [] };
  }

  alarm(contradiction: LogContradiction): LogAlarm {
    const { code, about, evidence: files } = contradiction;
    const folder = orNull(() => this.#kept.keepEvidence(code, about, { at: this.#now, files }));
    return new LogAlarm(this.#identity.board, contradiction, folder);
  }

  get #now(): string {
    return new Date(this.#device.nowMs()).toISOString();
  }

  get #asked(): Asked {
    const { client, keystore } = this.#device;
    return { client, identity: this.#identity, policy: ownPolicy(keystore) };
  }

  /** Requests the checkpoint, and saves it if it extends the known one. */
  async #grow(log: TrustedLog): Promise<TrustedLog & Grown> {
    const { key: current, checkpoint } = await checkGrowth(this.#asked, log);
    const isNew = current.vkey !== log.keys[0].vkey;
    const keys = isNew ? ([current, ...log.keys] as const) : log.keys;
    const grown = { ...log, keys, checkpoint, checked_at: this.#now };
    this.#kept.save(grown);
    return { ...grown, key: current };
  }

  /** Requests proofs for the receipts without one, newest first. */
  async #prove(log: TrustedLog & Grown): Promise<string | null> {
    const due = receiptsDue(this.#kept, receiptsOf(this.#device, this.#identity)).reverse();
    const found: Answered[] = [];
    try {
      // A checkpoint that witnesses cosigned is older, and has to be connected with the newest one.
      const most = requiresWitnesses(this.#asked.policy) ? MAX_REQUESTS / 2 : MAX_REQUESTS;
      for await (const one of this.#answers(due.slice(0, most), log)) {
        const { receipt, answered } = one;
        if (answered.state === 'proven') this.#kept.keepProof(receipt.log_index, answered.proof);
        found.push(one);
      }
    } catch (error) {
      // What was found before the board stopped answering counts.
      if (!(error instanceof Failure) || missingIn(found).length === 0) throw error;
    }
    const missing = missingIn(found);
    if (missing.length > 0) throw missingEntries(missing, log.checkpoint);
    return this.#noteOn(found);
  }

  #noteOn(found: readonly Answered[]): string | null {
    const late = found.filter(({ receipt, answered }) => {
      return answered.state === 'later' && this.#isLate(receipt);
    });
    if (late.length > 0)
      return `the public log lacks ${counted(late.length, 'submission')} older than a day`;
    const isUnwitnessed = found.some(({ answered }) => answered.state === 'unwitnessed');
    return isUnwitnessed ? 'too few of your witnesses have cosigned the public log' : null;
  }

  /** If the board publishes meanwhile, the proof is for a newer tree, which is checked first. */
  async *#answers(receipts: readonly KeptReceipt[], first: TrustedLog & Grown) {
    let log = first;
    for (const receipt of receipts) {
      if (this.#device.nowMs() - this.#startedMs > MAX_MS) return;
      let answered = await this.#ask(receipt, log);
      if (answered.state === 'ahead') {
        log = await this.#grow(log);
        answered = await this.#ask(receipt, log);
      }
      yield { receipt, answered };
    }
  }

  async #ask(receipt: KeptReceipt, log: Grown): Promise<ProofAnswer> {
    if (receipt.log_index > log.checkpoint.size) return { state: 'later' };
    const { client, policy } = this.#asked;
    return askProof({ client, board: this.#identity.board, policy }, receipt, log);
  }

  #isLate({ received_at = '' }: KeptReceipt): boolean {
    return this.#device.nowMs() - Date.parse(received_at) > LATE_MS;
  }
}

interface Answered {
  receipt: KeptReceipt;
  answered: ProofAnswer;
}

interface MissingEntry {
  receipt: KeptReceipt;
  answer: string;
}

function missingIn(found: readonly Answered[]): MissingEntry[] {
  return found.flatMap(({ receipt, answered }) => {
    return answered.state === 'missing' ? [{ receipt, answer: answered.answer }] : [];
  });
}

function missingEntries(
  missing: readonly MissingEntry[],
  { note }: TrustedCheckpoint,
): LogContradiction {
  const indexes = missing.map(({ receipt }) => receipt.log_index);
  const message = `its public log does not contain ${entriesText(indexes)}`;
  const receipts = missing.map(({ receipt }) => JSON.stringify(receipt)).join('\n');
  const answers = missing.map(({ receipt, answer }) => {
    return [`answer-${receipt.log_index}.txt`, answer];
  });
  const evidence = {
    'before.checkpoint': note,
    'receipts.ndjson': `${receipts}\n`,
    ...Object.fromEntries(answers),
  };
  return new LogContradiction('log_entry_missing', message, evidence);
}
