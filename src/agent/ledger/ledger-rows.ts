/** The responses of the ledger. They are read when needed, and written by {@linkcode LedgerRows.save}. */
import { randomUUID } from 'node:crypto';
import { type BucketKey, bucketKey, sumPillars } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { orNull } from '../failure.ts';
import { extras } from './carried.ts';
import type { LedgerFiles } from './ledger-files.ts';
import { bucketsOf } from './summary-file.ts';
import { type OpenedSummary, monthsIn, toolOf } from './summary.ts';
import { Shard } from './shard.ts';
import type { KeptResponse } from './types.ts';

export class LedgerRows {
  readonly #files: LedgerFiles;
  readonly #opened: OpenedSummary;
  readonly #months = new Map<string, Shard>();
  /** Tools and months with unsaved changes. */
  readonly #unsaved = new Map<string, { tool: string; month: string }>();
  /** Whether the summary has unsaved changes. */
  isChanged: boolean;

  constructor(files: LedgerFiles, opened: OpenedSummary) {
    this.#files = files;
    this.#opened = opened;
    this.isChanged = opened.notes.length > 0;
  }

  of(bucket: BucketKey): KeptResponse[] {
    const shard = this.#read(bucket.tool, monthOfDay(bucket.day));
    return placesIn(shard, bucket).map((place) => shard.response(place));
  }

  sumUntil(bucket: BucketKey, untilMs: number): Pillars {
    const shard = this.#read(bucket.tool, monthOfDay(bucket.day));
    return shard.sumUntil(placesIn(shard, bucket), untilMs);
  }

  /** The responses of a tool and month. Empty if they cannot be read. */
  #read(tool: string, month: string): Shard {
    const key = `${tool}\n${month}`;
    const known = this.#months.get(key);
    if (known) return known;
    const shard = this.#readFile(this.#opened.summary.tools[tool]?.months[month]?.file);
    if (shard) this.#months.set(key, shard);
    return shard ?? Shard.of([]);
  }

  /** Like `#read`, but for a change: an unreadable file is set aside, and its daily counts are kept. */
  load(tool: string, month: string): Shard {
    const shard = this.#read(tool, month);
    const isLost = this.#opened.summary.tools[tool]?.months[month] && shard.size === 0;
    if (isLost) this.#lose(tool, month);
    return shard;
  }

  months(tool: string): string[] {
    return Object.keys(this.#opened.summary.tools[tool]?.months ?? {});
  }

  set(tool: string, month: string, shard: Shard): void {
    const key = `${tool}\n${month}`;
    const { months } = toolOf(this.#opened.summary, tool);
    this.#months.set(key, shard);
    this.#unsaved.set(key, { tool, month });
    if (shard.size > 0) months[month] = shard.month();
    else Reflect.deleteProperty(months, month);
    this.isChanged = true;
    for (const item of this.#opened.summary.carried) {
      if (isIn(item, tool, month)) item.accounted = this.sumUntil(item, item.untilMs);
    }
  }

  /**
   * Writes all changes: new shards first, then the summary that refers to them.
   *
   * @throws {Failure} if it cannot be written. The ledger on disk is then unchanged.
   */
  save(): void {
    if (!this.isChanged) return;
    const { summary, damaged } = this.#opened;
    damaged.splice(0).forEach((file) => this.#files.setAside(file));
    const written: string[] = [];
    summary.run += 1;
    try {
      for (const one of this.#unsaved.values()) written.push(...this.#write(one));
      this.#opened.digest = this.#files.writeSummary(summary);
    } catch (error) {
      this.#forget(written);
      throw error;
    }
    this.#unsaved.clear();
    this.isChanged = false;
    this.#files.tidy(this.#named());
  }

  /** Writes a shard and enters it in the summary. A month without responses has no shard. */
  #write({ tool, month }: { tool: string; month: string }): string[] {
    const { summary } = this.#opened;
    const { rules, months } = toolOf(summary, tool);
    const part = months[month];
    if (part === undefined) return [];
    const shard = this.#read(tool, month);
    part.file = this.#files.writeShard({ tool, month, run: summary.run }, { rules, shard });
    return [part.file];
  }

  #forget(written: readonly string[]): void {
    for (const { tool, month } of this.#unsaved.values()) {
      const part = this.#opened.summary.tools[tool]?.months[month];
      if (part) part.file = null;
    }
    written.forEach((file) => this.#files.remove(file));
  }

  #named(): Set<string> {
    return new Set(monthsIn(this.#opened.summary).flatMap(({ file }) => file ?? []));
  }

  #readFile(file: string | null | undefined): Shard | null {
    if (!file) return null;
    const read = orNull(() => this.#files.readShard(file));
    return read === null || typeof read === 'string' ? null : read.shard;
  }

  /** Keeps the daily counts of lost responses until the responses are found in logs again. */
  #lose(tool: string, month: string): void {
    const { summary, damaged, notes } = this.#opened;
    const { months } = toolOf(summary, tool);
    const lost = months[month];
    if (lost === undefined) return;
    const parts = extras(summary.carried);
    Reflect.deleteProperty(months, month);
    for (const item of summary.carried) if (isIn(item, tool, month)) item.accounted = nothing();
    for (const { bucket, lastMs: untilMs } of bucketsOf(tool, lost)) {
      const part = parts.get(bucketKey(bucket));
      const counts = part ? sumPillars([bucket, part]) : bucket;
      const missing = sumPillars([counts]);
      const own = { board: null, untilMs, missing, accounted: nothing() };
      summary.carried.push({ ...bucket, ...missing, ...own });
    }
    if (lost.file) damaged.push(lost.file);
    notes.push(
      `The responses of ${tool} in ${month} could not be read from the ledger. Their daily counts were kept.`,
    );
    summary.id = randomUUID();
    this.isChanged = true;
  }
}

function placesIn(shard: Shard, { day, provider, model }: BucketKey): number[] {
  return shard.placesOf(dayNumber(day), provider, model);
}

function nothing(): Pillars {
  return { input: 0, output: 0, cache_write: null, cache_read: null };
}

function isIn(bucket: BucketKey, tool: string, month: string): boolean {
  return bucket.tool === tool && monthOfDay(bucket.day) === month;
}

export function monthOfDay(day: string): string {
  return day.slice(0, -3);
}
