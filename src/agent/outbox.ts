import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bucketKey, totalOf } from '#core/domain/bucket.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { listFolder, readText, writePrivate } from './files.ts';

const Count = z.number().nullable();
const Sent = z.strictObject({
  device_id: z.string(),
  /** When the board took the last submission, by its receipt. */
  received_at: z.string().nullable().default(null),
  /** Input, output, cache_write and cache_read of each bucket that the board has accepted. */
  buckets: z.record(z.string(), z.tuple([z.number(), z.number(), Count, Count])),
});
type Sent = z.infer<typeof Sent>;

const RECEIPTS = 'receipts.ndjson';
const Receipt = z.looseObject({ log_index: z.number(), entry_hash: z.string() });
/** What a board has said of a submission: its place in the log, and the entry's hash. */
export type KeptReceipt = z.infer<typeof Receipt>;

/** The receipts that were kept of one board, oldest first; a line that cannot be read is left out. */
export function receiptsIn(folder: string): KeptReceipt[] {
  const lines = (readText(join(folder, RECEIPTS)) ?? '').split('\n');
  return lines.flatMap((line) => {
    try {
      return [Receipt.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** What is on its way to one board, and what has arrived there. */
export class Outbox {
  readonly #folder: string;
  readonly #deviceId: string;
  #sent: Sent;

  constructor(folder: string, deviceId: string) {
    this.#folder = folder;
    this.#deviceId = deviceId;
    this.#sent = this.#readSent();
  }

  /** Those that the board does not have as they are now. A shrunk one is left: its log was cut. */
  unsent(buckets: readonly Bucket[]): Bucket[] {
    return buckets.filter((bucket) => {
      const sent = this.#sent.buckets[bucketKey(bucket)];
      if (!sent) return true;
      const [input, output, cache_write, cache_read] = sent;
      const before: Pillars = { input, output, cache_write, cache_read };
      return totalOf(bucket) >= totalOf(before) && !isEqual(bucket, before);
    });
  }

  /**
   * Forgets what was sent if the board lost some of it, as one does that was restored from an older
   * backup. What it still has replaces itself when it is sent again.
   *
   * @param lastSubmissionAt When the board last took a submission of this device, as it says now.
   */
  compare(lastSubmissionAt: string | null): void {
    const { received_at, buckets } = this.#sent;
    if (Object.keys(buckets).length === 0) return;
    const isComplete =
      received_at !== null && lastSubmissionAt !== null && !isBefore(lastSubmissionAt, received_at);
    if (isComplete) return;
    this.#sent = this.#nothingSent();
    this.#save();
  }

  /** Envelopes that were saved and not answered, oldest first. */
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

  /** Forgets an envelope that the board will never take. */
  drop(id: string): void {
    rmSync(join(this.#pendingFolder(), `${id}.json`), { force: true });
  }

  /** Keeps the receipt, remembers the buckets as sent, and forgets the envelope. */
  confirm(id: string, buckets: readonly Bucket[], receipt: { received_at: string }): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const line = `${JSON.stringify(receipt)}\n`;
    appendFileSync(join(this.#folder, RECEIPTS), line, { mode: 0o600 });
    this.assumeSent(buckets);
    this.#sent.received_at = receipt.received_at;
    this.#save();
    this.drop(id);
  }

  /** Counts buckets as sent, without saving that. */
  assumeSent(buckets: readonly Bucket[]): void {
    for (const bucket of buckets) {
      const { input, output, cache_write, cache_read } = bucket;
      this.#sent.buckets[bucketKey(bucket)] = [input, output, cache_write, cache_read];
    }
  }

  #save(): void {
    writePrivate(join(this.#folder, 'sent.json'), JSON.stringify(this.#sent));
  }

  #nothingSent(): Sent {
    return { device_id: this.#deviceId, received_at: null, buckets: {} };
  }

  /** What another device of the account sent from here does not count as sent by this one. */
  #readSent(): Sent {
    const nothing = this.#nothingSent();
    try {
      const sent = Sent.parse(JSON.parse(readText(join(this.#folder, 'sent.json')) ?? 'null'));
      return sent.device_id === this.#deviceId ? sent : nothing;
    } catch {
      return nothing;
    }
  }

  #pendingFolder(): string {
    return join(this.#folder, 'outbox', this.#deviceId);
  }
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}

function isEqual(a: Pillars, b: Pillars): boolean {
  return (
    a.input === b.input &&
    a.output === b.output &&
    a.cache_write === b.cache_write &&
    a.cache_read === b.cache_read
  );
}
