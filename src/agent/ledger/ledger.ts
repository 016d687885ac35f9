import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type BucketKey,
  bucketKey,
  pillarsOf,
  sortBuckets,
  sumPillars,
  totalOf,
} from '#core/domain/counting/bucket.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import type { LocalDevice } from '../device.ts';
import { Failure } from '../failure.ts';
import { withLock } from '../state/lock.ts';
import {
  type SentCounts,
  adoptable,
  adoptedName,
  carriedNotes,
  type Carried,
  addedBy,
  carriedFingerprint,
  extras,
  isCarried,
  lacking,
} from './carried.ts';
import { type ExcludedLogs, forget } from './forget.ts';
import { type LedgerInspection, inspect } from './inspect.ts';
import { LedgerFiles } from './ledger-files.ts';
import { LedgerRows, monthOfDay } from './ledger-rows.ts';
import { bucketsOf } from './summary-file.ts';
import { type OpenedSummary, openSummary, monthsIn } from './summary.ts';
import { isNews, take } from './take.ts';
import type { KeptResponse, Sighting, Stated } from './types.ts';

type Carrying = Bucket & { added: Pillars };

/** Notes of an update or a repair: counts that could not be recounted or saved. */
interface LedgerNews {
  notes: string[];
}

export class Ledger {
  readonly #device: Pick<LocalDevice, 'wait'>;
  readonly #files: LedgerFiles;
  #opened: OpenedSummary;
  #rows: LedgerRows;
  #buckets: readonly Bucket[] | null = null;
  /** Notes for the next update. */
  readonly #notes: string[] = [];
  /** Whether there was a note that the ledger could not be saved. */
  #isDetached = false;

  /** @param folder The folder, which is created when there is something to save. */
  constructor(folder: string, device: Pick<LocalDevice, 'wait'>) {
    this.#files = new LedgerFiles(folder);
    this.#device = device;
    this.#opened = openSummary(this.#files);
    this.#rows = new LedgerRows(this.#files, this.#opened);
  }

  /** A UUID that changes when the ledger is created again. */
  get id(): string {
    return this.#opened.summary.id;
  }

  /** The number of updates that changed the ledger. Never decreases. */
  get run(): number {
    return this.#opened.summary.run;
  }

  get isSaved(): boolean {
    return !this.#rows.isChanged;
  }

  /**
   * Why nothing composed from the ledger may be sent: a newer version wrote it, or it cannot be read. It then contains only
   * the scan of this run, in memory. Null if the ledger can be used.
   */
  get blocked(): Failure | null {
    return this.#opened.blocked;
  }

  /** The rules with which a tool was last counted; undefined if it never was. */
  rulesOf(tool: string): number | undefined {
    return this.#opened.summary.tools[tool]?.rules ?? undefined;
  }

  /** The first day for which no log of a tool can be missing, as of the last scan; null if unknown. */
  wholeFrom(tool: string): string | null {
    return this.#opened.summary.tools[tool]?.whole_from ?? null;
  }

  /** All daily counts, sorted by key: responses and carried-over parts. */
  buckets(): readonly Bucket[] {
    this.#buckets ??= this.#sum();
    return this.#buckets;
  }

  #sum(): Bucket[] {
    const { tools, carried } = this.#opened.summary;
    const sums = new Map<string, Bucket>();
    for (const [tool, { months }] of Object.entries(tools)) {
      for (const month of Object.values(months)) {
        for (const { bucket } of bucketsOf(tool, month)) {
          sums.set(bucketKey(bucket), bucket);
        }
      }
    }
    for (const [key, part] of extras(carried)) {
      const { day, tool, provider, model } = part;
      const before = sums.get(key);
      const counts = before ? sumPillars([before, part]) : pillarsOf(part);
      sums.set(key, { day, provider, model, tool, ...counts });
    }
    return sortBuckets([...sums.values()]);
  }

  /** The sums of the responses of a day and tool up to a time, by provider and model. */
  bucketsUntil(day: string, tool: string, untilMs: number): Bucket[] {
    const known = this.buckets().filter((bucket) => bucket.day === day && bucket.tool === tool);
    return known.map((bucket) => ({ ...bucket, ...this.#rows.sumUntil(bucket, untilMs) }));
  }

  /** The tokens of a tool and day up to a time. */
  sumUntil(day: string, tool: string, untilMs: number): number {
    const sums = this.bucketsUntil(day, tool, untilMs);
    return sums.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  }

  responsesOf(bucket: BucketKey): KeptResponse[] {
    return this.#rows.of(bucket);
  }

  /** Whether a part of a daily count was carried over from statements after a time. */
  isCarried(bucket: BucketKey, sinceMs = Number.NEGATIVE_INFINITY): boolean {
    return isCarried(this.#carriedInto(bucket), sinceMs);
  }

  /**
   * The fingerprint of the part of a daily count that was carried over from a board after a time; null if there is none,
   * or if it does not cover the whole part.
   */
  carriedFingerprint(
    board: string,
    bucket: BucketKey,
    sinceMs = Number.NEGATIVE_INFINITY,
  ): string | null {
    return carriedFingerprint(this.#carriedInto(bucket), board, sinceMs);
  }

  #carriedInto(bucket: BucketKey): Carried[] {
    const key = bucketKey(bucket);
    return this.#opened.summary.carried.filter((item) => bucketKey(item) === key);
  }

  /** @param name The hash of the path of a log. */
  hasCounted(tool: string, name: string): boolean {
    return Object.hasOwn(this.#opened.summary.tools[tool]?.logs?.logs ?? {}, name);
  }

  /** Removes the responses of excluded logs. Returns their number. */
  async forget(excluded: readonly ExcludedLogs[]): Promise<number> {
    let removed = 0;
    await this.#change(() => {
      const { summary } = this.#opened;
      for (const one of excluded) removed += forget(summary, this.#rows, one);
    });
    return removed;
  }

  /** Adds the responses of a scan. The ledger is then on disk, or a note says why not. */
  async update(sightings: readonly Sighting[], today: string): Promise<LedgerNews> {
    const { summary, notes } = this.#opened;
    const isDue = notes.length > 0 || sightings.some((one) => isNews(summary, one, today));
    if (isDue) {
      await this.#change(() => {
        for (const sighting of sightings) {
          this.#notes.push(...take(this.#opened.summary, this.#rows, sighting, today));
        }
      });
    }
    return { notes: this.#notes.splice(0) };
  }

  /** Notes when the logs were last read, for status lines. */
  noteScan(atMs: number): void {
    if (this.isSaved && this.blocked === null) this.#files.touchSummary(new Date(atMs));
  }

  /**
   * Carries over the parts of a board's counts for which the ledger has no responses: the stated count minus the
   * responses up to `untilMs`, if positive.
   *
   * @param board The board to whose account the fingerprints of `stated` belong.
   * @returns The added parts.
   */
  async carry(board: string, stated: readonly Stated[]): Promise<Carrying[]> {
    let added: Carrying[] = [];
    if (stated.length > 0) await this.#change(() => void (added = this.#carryAll(board, stated)));
    return added;
  }

  /** Whether the sent counts of a device were carried over. */
  isAdopted(device: Pick<SentCounts, 'board' | 'device_id'>): boolean {
    return this.#opened.summary.adopted.includes(adoptedName(device));
  }

  /**
   * Carries over counts that an earlier version sent and that may be missing in the logs, once for each device.
   *
   * @returns Notes about the added counts.
   */
  async adopt(sent: SentCounts): Promise<string[]> {
    let added: Carrying[] = [];
    await this.#change(() => {
      const { summary } = this.#opened;
      added = this.#carryAll(sent.board, adoptable(summary, sent));
      if (this.isAdopted(sent)) return;
      summary.adopted.push(adoptedName(sent));
      this.#rows.isChanged = true;
    });
    return [...carriedNotes(sent.board, added), ...this.#notes.splice(0)];
  }

  #carryAll(board: string, stated: readonly Stated[]): Carrying[] {
    const { carried } = this.#opened.summary;
    const known = groupBy(carried, bucketKey);
    return stated.flatMap(({ untilMs, ...bucket }) => {
      const key = bucketKey(bucket);
      const items = known.get(key) ?? [];
      const item = this.#carried(board, bucket, untilMs);
      const part = item && addedBy(item, items);
      if (item === null || part === null) return [];
      carried.push(item);
      this.#rows.isChanged = true;
      known.set(key, [...items, item]);
      return [{ ...bucket, added: part }];
    });
  }

  responses(): number {
    return monthsIn(this.#opened.summary).reduce((sum, { responses }) => sum + responses, 0);
  }

  inspect(): LedgerInspection {
    return inspect(this.#files, this.#opened.summary);
  }

  /** Checks all files for damage, and makes the next scan read all logs again. */
  async distrust(): Promise<LedgerNews> {
    await this.#change(() => {
      for (const tool of Object.keys(this.#opened.summary.tools)) {
        for (const month of this.#rows.months(tool)) this.#rows.load(tool, month);
      }
      this.#opened.summary.id = randomUUID();
      this.#rows.isChanged = true;
    });
    return { notes: this.#notes.splice(0) };
  }

  /** The part of a bucket without responses up to a time; null if there is none. */
  #carried(board: string, bucket: Bucket, untilMs: number): Carried | null {
    // The counts of an unreadable file are kept, and must not be added again.
    this.#rows.load(bucket.tool, monthOfDay(bucket.day));
    const accounted = this.#rows.sumUntil(bucket, untilMs);
    const missing = lacking(bucket, accounted);
    return missing && { ...bucket, board, untilMs, missing, accounted };
  }

  /** Changes the ledger and saves it. If it cannot be saved, the change is still applied in memory. */
  async #change(apply: () => void): Promise<void> {
    let isApplied = false;
    const applyOnce = () => {
      if (isApplied) return;
      isApplied = true;
      apply();
    };
    try {
      if (this.blocked) throw this.blocked;
      await withLock(this.#device, join(this.#files.folder, 'lock'), () => {
        this.#refresh();
        applyOnce();
        this.#rows.save();
        return Promise.resolve();
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      applyOnce();
      this.#detach(error);
    }
    this.#notes.push(...this.#opened.notes.splice(0));
    this.#buckets = null;
  }

  /** Reloads the ledger if another process has changed it. */
  #refresh(): void {
    const { digest } = this.#opened;
    if (digest !== null && this.#files.summaryDigest() === digest) return;
    const now = openSummary(this.#files);
    if (now.blocked) throw now.blocked;
    if (now.digest === null && digest === null) return;
    this.#opened = now;
    this.#rows = new LedgerRows(this.#files, now);
  }

  /** Handles a failed save. The new ID makes the log index invalid, which must not rely on an unsaved ledger. */
  #detach({ message, hint }: Failure): void {
    this.#opened.summary.id = randomUUID();
    if (this.#isDetached) return;
    this.#isDetached = true;
    const advice = hint === null ? '' : ` ${hint.replace(/\.$/, '')}.`;
    this.#notes.push(
      `The ledger was not saved: ${message}.${advice} This run counts only the logs that still exist.`,
    );
  }
}
