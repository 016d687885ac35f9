import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { bucketKey, keyParts, totalOf } from '#core/domain/counting/bucket.ts';
import { isCorrected } from '#core/domain/counting/counting.ts';
import { dayAfter, utcDay } from '#core/domain/counting/day.ts';
import type { Correction, Covers } from '#core/schema/snapshot.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { type Baseline, CountTuple, baselineIn, pillarsOf, tupleOf } from './baseline.ts';
import { listFolder, readJson, readOfDevice, readText, writePrivate } from './atomic-file.ts';
import { type KeptReceipt, keepReceipt } from './board-files.ts';

const Sent = z.object({
  device_id: z.string(),
  received_at: z.iso.datetime({ offset: true }).nullable().catch(null),
  /** The last day that this device stated to the board. */
  covered_to: z.iso.date().nullable().catch(null),
  /** The version of each tool's counting rules. */
  rules: z.record(z.string(), z.number()).default({}),
  /**
   * The logs that were counted, by tool, as versions up to 0.9 stored them. Without them, such a version does not
   * correct days whose logs may be gone.
   */
  logs: z
    .record(
      z.string(),
      z.object({
        gone_to: z.string().nullable(),
        logs: z.record(z.string(), z.tuple([z.string(), z.number()])),
      }),
    )
    .nullable()
    .catch(null),
  buckets: z.record(z.string(), CountTuple.rest(z.unknown())),
});
type Sent = z.infer<typeof Sent>;

export interface StatedBuckets {
  correction: Correction | null;
  /** The days that are stated, if any. */
  covers?: Covers | null;
  buckets: readonly Bucket[];
}

export type Rules = Readonly<Record<string, number>>;

/** The device that last sent something to a board; null if unknown. */
export function deviceOfSent(folder: string): string | null {
  return readJson(join(folder, 'sent.json'), Sent)?.device_id ?? null;
}

/** The pending envelopes for one board, and the counts that it has. */
export class Outbox {
  readonly #folder: string;
  readonly #deviceId: string;
  #sent: Sent;

  constructor(folder: string, deviceId: string) {
    this.#folder = folder;
    this.#deviceId = deviceId;
    this.#sent = this.#readSent();
  }

  /** The buckets that are new or have changed. Buckets with a smaller total are left out. */
  unsent(buckets: readonly Bucket[]): Bucket[] {
    return buckets.filter((bucket) => {
      const before = this.#pillarsOf(bucketKey(bucket));
      if (!before) return true;
      return (
        totalOf(bucket) >= totalOf(before) && !isDeepStrictEqual(tupleOf(bucket), tupleOf(before))
      );
    });
  }

  /** The days, in order, on which the board has more of a tool than these buckets. */
  loweredDays(tool: string, buckets: readonly Bucket[]): string[] {
    const now = new Map(buckets.map((bucket) => [bucketKey(bucket), totalOf(bucket)]));
    const lowered = this.sent().filter((bucket) => {
      return bucket.tool === tool && totalOf(bucket) > (now.get(bucketKey(bucket)) ?? 0);
    });
    return [...new Set(lowered.map(({ day }) => day))].sort();
  }

  sent(): Bucket[] {
    return Object.entries(this.#sent.buckets).map(([key, counts]) => {
      return { ...keyParts(key), ...pillarsOf(counts) };
    });
  }

  /** The rules and logs with which the sent buckets were counted. */
  countedBy(): Pick<Sent, 'logs' | 'rules'> {
    const { rules, logs } = this.#sent;
    return { rules, logs };
  }

  /**
   * The first day that was not stated yet; null if nothing was sent. A version that could not state days may have sent the
   * days before the last submission.
   */
  nextToState(): string | null {
    const { covered_to, received_at } = this.#sent;
    if (covered_to !== null) return dayAfter(covered_to);
    return received_at === null ? null : utcDay(Date.parse(received_at));
  }

  /** Marks buckets as not sent, so that they are sent again. */
  forget(buckets: readonly Bucket[]): void {
    const forgotten = new Set(buckets.map(bucketKey));
    this.#forgetWhere((key) => forgotten.has(key));
    this.#save();
  }

  #forgetWhere(isForgotten: (key: string) => boolean): void {
    const left = Object.entries(this.#sent.buckets).filter(([key]) => !isForgotten(key));
    this.#sent.buckets = Object.fromEntries(left);
  }

  /** When the board accepted the last submission, from its receipt; null if there is none. */
  lastSubmissionAt(): string | null {
    return this.#sent.received_at;
  }

  /** The rules with which the sent buckets of a tool were counted; undefined if unknown. */
  rulesOf(tool: string): number | undefined {
    return Object.hasOwn(this.#sent.rules, tool) ? this.#sent.rules[tool] : undefined;
  }

  settleRules(rules: Rules): void {
    if (Object.entries(rules).every(([tool, rule]) => this.rulesOf(tool) === rule)) return;
    this.#sent.rules = { ...this.#sent.rules, ...rules };
    this.#save();
  }

  /** The counts that this device does not state, because another one does. */
  baseline(): Baseline | null {
    return baselineIn(this.#folder, this.#deviceId);
  }

  /**
   * Marks everything as not sent if the board lost some of it, for example because it was restored from an older backup.
   * Sending buckets again that the board still has changes nothing.
   *
   * @param lastSubmissionAt When the board accepted the last submission of this device, as it says now.
   * @returns Whether the board lost something.
   */
  compare(lastSubmissionAt: string | null): boolean {
    const { received_at, buckets, rules } = this.#sent;
    if (Object.keys(buckets).length === 0) return false;
    const isComplete =
      received_at !== null && lastSubmissionAt !== null && !isBefore(lastSubmissionAt, received_at);
    if (isComplete) return false;
    this.#sent = { ...this.#nothingSent(), rules };
    this.#save();
    return true;
  }

  /** Saved envelopes that the board has not answered, oldest first. */
  pending(): { id: string; envelope: string }[] {
    const names = listFolder(this.#pendingFolder()).filter((name) => name.endsWith('.json'));
    return names.sort().flatMap((name) => {
      const envelope = readText(join(this.#pendingFolder(), name));
      return envelope === null ? [] : [{ id: name.replace('.json', ''), envelope }];
    });
  }

  /** Saves an envelope before it is sent. */
  add(id: string, envelope: string): void {
    writePrivate(join(this.#pendingFolder(), `${id}.json`), envelope);
  }

  drop(id: string): void {
    rmSync(join(this.#pendingFolder(), `${id}.json`), { force: true });
  }

  /** Deletes all pending envelopes, because their key is deleted. */
  abandon(): void {
    rmSync(this.#pendingFolder(), { recursive: true, force: true });
  }

  /**
   * Saves the receipt, marks the statement as sent, and deletes the envelope.
   *
   * @throws {Failure} if that cannot be written. The envelope then stays pending.
   */
  confirm(
    id: string,
    statement: StatedBuckets,
    receipt: KeptReceipt & { received_at: string },
  ): void {
    keepReceipt(this.#folder, receipt);
    this.assumeSent(statement);
    this.#sent.received_at = receipt.received_at;
    this.#save();
    this.drop(id);
  }

  /**
   * Marks the counts that the board has of this device as sent.
   *
   * @param receivedAt When the board accepted the last of them.
   */
  takeOver(counts: readonly Bucket[], receivedAt: string | null): void {
    this.assumeSent({ correction: null, buckets: counts });
    const { received_at } = this.#sent;
    const isNewer =
      receivedAt !== null && (received_at === null || isBefore(received_at, receivedAt));
    if (isNewer) this.#sent.received_at = receivedAt;
    this.#save();
  }

  /** Marks a statement as sent in memory only. */
  assumeSent({ correction, covers, buckets }: StatedBuckets): void {
    const { covered_to } = this.#sent;
    if (covers && (covered_to === null || covers.to > covered_to))
      this.#sent.covered_to = covers.to;
    if (correction) this.#forgetWhere((key) => isCorrected(keyParts(key), correction));
    for (const bucket of buckets) {
      this.#sent.buckets[bucketKey(bucket)] = tupleOf(bucket);
    }
  }

  #pillarsOf(key: string): Pillars | null {
    const sent = this.#sent.buckets[key];
    return sent ? pillarsOf(sent) : null;
  }

  #save(): void {
    this.#sent.logs = null;
    writePrivate(join(this.#folder, 'sent.json'), JSON.stringify(this.#sent));
  }

  #nothingSent(): Sent {
    const none = { received_at: null, covered_to: null, rules: {}, logs: null, buckets: {} };
    return { device_id: this.#deviceId, ...none };
  }

  /** Ignores the counts of another device that was enrolled in this folder before. */
  #readSent(): Sent {
    const sent = readOfDevice(join(this.#folder, 'sent.json'), Sent, this.#deviceId);
    return sent ?? this.#nothingSent();
  }

  #pendingFolder(): string {
    return join(this.#folder, 'outbox', this.#deviceId);
  }
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}
