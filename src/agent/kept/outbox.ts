import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bucketKey, totalOf } from '#core/domain/bucket.ts';
import { isCorrected } from '#core/domain/counting.ts';
import type { Correction } from '#core/schema/snapshot.ts';
import type { Bucket, Pillars, UsageSource } from '#core/schema/usage.ts';
import { CountedLogs, type SeenLogs, rememberLogs } from './counted-logs.ts';
import { listFolder, readJson, readText, writePrivate } from './files.ts';
import { type KeptReceipt, keepReceipt } from './receipts.ts';

const Count = z.number().nullable();
const Sent = z.object({
  device_id: z.string(),
  /** When the board took the last submission, by its receipt. */
  received_at: z.string().nullable().default(null),
  /** The rules of each tool's reader by which the buckets were counted. */
  rules: z.record(z.string(), z.number()).default({}),
  /** The logs of each tool that were counted; null if that is not known. */
  logs: z.record(z.string(), CountedLogs).nullable().default(null),
  /** Input, output, cache_write and cache_read of each bucket that the board has accepted. */
  buckets: z.record(z.string(), z.tuple([z.number(), z.number(), Count, Count])),
});
type Sent = z.infer<typeof Sent>;

/** What one snapshot says. */
export interface Statement {
  correction: Correction | null;
  buckets: readonly Bucket[];
}

/** The versions of the readers' rules, by tool. */
export type Rules = Readonly<Record<string, number>>;

/** What is on its way to one board, and what has arrived there. */
export class Outbox {
  readonly #folder: string;
  readonly #deviceId: string;
  /** Whether the board may have more of this device than is remembered here. */
  #mayHaveMore = true;
  #sent: Sent;

  constructor(folder: string, deviceId: string) {
    this.#folder = folder;
    this.#deviceId = deviceId;
    this.#sent = this.#readSent();
  }

  /** Those that the board does not have as they are now. A shrunk one is left: its log was cut. */
  unsent(buckets: readonly Bucket[]): Bucket[] {
    return buckets.filter((bucket) => {
      const before = this.#pillarsOf(bucketKey(bucket));
      if (!before) return true;
      return totalOf(bucket) >= totalOf(before) && !isEqual(bucket, before);
    });
  }

  /** The days, in order, on which the board has more of a tool than these buckets say. */
  loweredDays(tool: string, buckets: readonly Bucket[]): string[] {
    const now = new Map(buckets.map((bucket) => [bucketKey(bucket), totalOf(bucket)]));
    const days = Object.keys(this.#sent.buckets).flatMap((key) => {
      const [day = '', sentTool] = key.split('\n');
      const before = this.#pillarsOf(key);
      return sentTool === tool && before && totalOf(before) > (now.get(key) ?? 0) ? [day] : [];
    });
    return [...new Set(days)].sort();
  }

  /** When the board took the last submission, by its receipt; null if it took none. */
  lastSubmissionAt(): string | null {
    return this.#sent.received_at;
  }

  /** By which rules a tool's buckets were counted that were sent; undefined if that is not known. */
  rulesOf(tool: string): number | undefined {
    return Object.hasOwn(this.#sent.rules, tool) ? this.#sent.rules[tool] : undefined;
  }

  /** Remembers by which rules the board's buckets are counted now. */
  settleRules(rules: Rules): void {
    if (Object.entries(rules).every(([tool, rule]) => this.rulesOf(tool) === rule)) return;
    this.#sent.rules = { ...this.#sent.rules, ...rules };
    this.#save();
  }

  /** Whether the board has anything of a tool. */
  hasSent(tool: string): boolean {
    return Object.keys(this.#sent.buckets).some((key) => key.split('\n')[1] === tool);
  }

  /** The sources of which the board has something. */
  sources(): UsageSource[] {
    return Object.keys(this.#sent.buckets).map((key) => {
      const [, tool = '', provider = '', model = ''] = key.split('\n');
      return { tool, provider, model };
    });
  }

  /** Up to which day something may be gone of a tool's logs; null if nothing is. */
  goneTo(tool: string): string | null {
    return this.#sent.logs?.[tool]?.gone_to ?? null;
  }

  /**
   * Remembers, before anything of them is sent, which logs there are, and which are gone since.
   *
   * @param today The last day of which logs can tell.
   */
  rememberLogs(seen: Readonly<Record<string, SeenLogs>>, today: string): void {
    const before = JSON.stringify(this.#sent.logs);
    this.assumeLogs(seen, today);
    if (JSON.stringify(this.#sent.logs) !== before) this.#save();
  }

  /** The same, without saving it. */
  assumeLogs(seen: Readonly<Record<string, SeenLogs>>, today: string): void {
    const { logs: before, buckets } = this.#sent;
    const isFirst = before === null && !this.#mayHaveMore && Object.keys(buckets).length === 0;
    const nothing = { gone_to: before !== null || isFirst ? null : today, logs: {} };
    const now = Object.entries(seen).map(([tool, logs]) => {
      return [tool, rememberLogs(before?.[tool] ?? nothing, logs)] as const;
    });
    this.#sent.logs = { ...before, ...Object.fromEntries(now) };
  }

  /**
   * Forgets what was sent if the board lost some of it, as one does that was restored from an older
   * backup. What it still has replaces itself when it is sent again.
   *
   * @param lastSubmissionAt When the board last took a submission of this device, as it says now.
   * @returns Whether it did.
   */
  compare(lastSubmissionAt: string | null): boolean {
    const { received_at, buckets, rules, logs } = this.#sent;
    this.#mayHaveMore = lastSubmissionAt !== null;
    if (Object.keys(buckets).length === 0) return false;
    const isComplete =
      received_at !== null && lastSubmissionAt !== null && !isBefore(lastSubmissionAt, received_at);
    if (isComplete) return false;
    this.#sent = { ...this.#nothingSent(), rules, logs };
    this.#save();
    return true;
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

  /** Forgets all envelopes on the way: their key is gone. */
  abandon(): void {
    rmSync(this.#pendingFolder(), { recursive: true, force: true });
  }

  /**
   * Keeps the receipt, remembers what was stated as sent, and forgets the envelope.
   *
   * @throws {Failure} if that cannot be written; the same envelope then stays to be sent again.
   */
  confirm(id: string, statement: Statement, receipt: KeptReceipt & { received_at: string }): void {
    keepReceipt(this.#folder, receipt);
    this.assumeSent(statement);
    this.#sent.received_at = receipt.received_at;
    this.#save();
    this.drop(id);
  }

  /** Counts what a snapshot says as sent, without saving that. */
  assumeSent({ correction, buckets }: Statement): void {
    if (correction) this.#forget(correction);
    for (const bucket of buckets) {
      const { input, output, cache_write, cache_read } = bucket;
      this.#sent.buckets[bucketKey(bucket)] = [input, output, cache_write, cache_read];
    }
  }

  #forget(correction: Correction): void {
    const others = Object.entries(this.#sent.buckets).filter(([key]) => {
      const [day = '', tool = ''] = key.split('\n');
      return !isCorrected({ day, tool }, correction);
    });
    this.#sent.buckets = Object.fromEntries(others);
  }

  #pillarsOf(key: string): Pillars | null {
    const sent = this.#sent.buckets[key];
    if (!sent) return null;
    const [input, output, cache_write, cache_read] = sent;
    return { input, output, cache_write, cache_read };
  }

  #save(): void {
    writePrivate(join(this.#folder, 'sent.json'), JSON.stringify(this.#sent));
  }

  #nothingSent(): Sent {
    return { device_id: this.#deviceId, received_at: null, rules: {}, logs: null, buckets: {} };
  }

  /** What another device of the account sent from here does not count as sent by this one. */
  #readSent(): Sent {
    const sent = readJson(join(this.#folder, 'sent.json'), Sent);
    return sent?.device_id === this.#deviceId ? sent : this.#nothingSent();
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
