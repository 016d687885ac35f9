import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sortBuckets, bucketUsage, totalOf } from '#core/domain/counting/bucket.ts';
import { readers } from '#core/readers/readers.ts';
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';
import { type News, newsAmong } from './news.ts';
import { addSkip, sumSkips } from '#core/readers/shared/reader.ts';
import { type Environment, cacheFolder } from '../settings.ts';
import { type IndexedLedger, LogIndex, type ScanSource, type ToolSums } from './log-index.ts';
import { type Job, type Outcome, readAll } from './read-all.ts';
import { type Pace, type Entry, type Reading, isCurrent, isLasting, resumeAt } from './read-log.ts';
import { type StampedLogs, findStampedLogs } from './stamp.ts';
import { excludedFolders, excludedTools, withoutFolders } from './excluded.ts';

export type { ScanSource } from './log-index.ts';

/** How often a scan yields to the event loop and reports progress. */
const PAUSE_MS = 100;

/** Shorter scans report no progress. */
const UNNOTICED_MS = 500;

export interface ScanResult {
  buckets: Bucket[];
  sources: ScanSource[];
  /** Reasons why scans are slow. Counts are still right. */
  notes: string[];
}

export interface Scan extends ScanResult {
  logs: readonly StampedLogs[];
}

export interface ScanLedger extends IndexedLedger {
  /** Adds scanned responses to the ledger. Called before the index is saved. */
  take(scans: readonly ToolScan[]): Promise<void>;
  hasCounted(tool: string, path: string): boolean;
  /** Removes the responses of logs that are excluded. Called before `take`. */
  forget(scans: readonly ToolScan[]): Promise<void>;
}

interface ScanOptions {
  /** The folder of the index; null for none. */
  index?: string | null;
  /** The ledger to update. The index is then used only if this ledger has its responses. */
  ledger?: ScanLedger | null;
  progress?: (text: string) => void;
}

/**
 * Reads the logs of all tools. Unreadable files are listed in their source and never stop the scan.
 *
 * @throws {Failure} `usage` if the settings for excluded tools and folders are wrong.
 */
export async function scanLogs(
  env: Environment,
  { index = join(cacheFolder(env), 'logs'), ledger = null, progress }: ScanOptions = {},
): Promise<Scan> {
  const kept = index === null ? null : new LogIndex(index, ledger);
  const [tools, folders] = [excludedTools(env), excludedFolders(env)];
  const claimed = new Set<string>();
  const split = readers
    .map((reader) => findStampedLogs(reader, env, claimed))
    .filter(({ reader }) => !tools.includes(reader.tool))
    .map((logs) => withoutFolders(logs, folders));
  if (ledger) await forgetExcluded(split, kept, ledger);
  const found = split.map((logs) => logs.kept);
  const known = new Map(found.map((logs) => [logs, kept?.sums(logs) ?? null]));
  const changed = found.filter((logs) => known.get(logs) === null);
  const due = changed.map((logs) => new ToolLogs(logs, kept));
  for (const scan of await scanTools(due, ledger, progress)) known.set(scan.logs, scan);
  const sums = [...known.values()].filter((sum) => sum !== null);
  return {
    buckets: sortBuckets(sums.flatMap(({ buckets }) => buckets)),
    sources: sums.map(({ source }) => source),
    notes: kept?.notes ?? [],
    logs: found,
  };
}

/** Removes from the ledger what was counted before its log was excluded. */
async function forgetExcluded(
  split: readonly { excluded: StampedLogs }[],
  index: LogIndex | null,
  ledger: ScanLedger,
): Promise<void> {
  const scans: ToolScan[] = [];
  for (const { excluded } of split) {
    const { reader, stamps } = excluded;
    const counted = [...stamps].filter(([path]) => ledger.hasCounted(reader.tool, path));
    if (counted.length === 0) continue;
    const logs = new ToolLogs({ ...excluded, stamps: new Map(counted) }, index);
    await readLogs([logs], () => undefined);
    scans.push(logs.sumUp());
    // Responses that are also in other logs are passed to the ledger again, even after a crash.
    index?.forget(reader);
  }
  if (scans.length > 0) await ledger.forget(scans);
}

async function readLogs(tools: readonly ToolLogs[], pace: Pace): Promise<void> {
  const jobs = tools.flatMap((tool) => tool.jobs.map((job) => ({ tool, job })));
  const read = await readAll(
    jobs.map(({ job }) => job),
    { pace },
  );
  for (const [at, { tool, job }] of jobs.entries()) tool.add(job, read[at] as Outcome);
}

async function scanTools(
  tools: readonly ToolLogs[],
  ledger: ScanLedger | null,
  progress: ScanOptions['progress'],
): Promise<ToolScan[]> {
  const bytes = tools.flatMap(({ jobs }) => jobs).reduce((sum, job) => sum + job.bytes, 0);
  const pace = paceOf(bytes, progress);
  await readLogs(tools, pace);
  const scans = tools.map((tool) => tool.sumUp());
  // The ledger comes first, because responses in the index are not passed to it again.
  const news = scans.filter((_, at) => tools[at]?.areNone === false);
  if (news.length > 0) await ledger?.take(news);
  for (const [at, scan] of scans.entries()) tools[at]?.keep(scan);
  return scans;
}

/** Counts bytes, and yields to the event loop ten times a second. */
function paceOf(bytes: number, progress: ScanOptions['progress']): Pace {
  const beganMs = performance.now();
  let pausedMs = beganMs;
  let read = 0;
  return (more) => {
    read += more;
    if (performance.now() - pausedMs < PAUSE_MS) return undefined;
    const percent = Math.min(100, Math.round((100 * read) / Math.max(1, bytes)));
    if (performance.now() - beganMs > UNNOTICED_MS) {
      progress?.(`reading logs: ${percent}% of ${Math.ceil(bytes / (1 << 20))} MB`);
    }
    return setImmediate().then(() => void (pausedMs = performance.now()));
  };
}

/**
 * The highest plausible number of tokens in the logs of a tool. It is centuries of heavy use, and so far below a board's
 * limit for an operator that one wrong record cannot use it up.
 */
const MOST_TOKENS = 2 ** 48;

export interface ToolScan extends ToolSums, News {
  logs: StampedLogs;
  responses: readonly LoggedResponse[];
}

class ToolLogs {
  readonly logs: StampedLogs;
  readonly #index: LogIndex | null;
  readonly #before: ReadonlyMap<string, Entry>;
  /** Whether the ledger has all responses of these entries. */
  readonly #areTold: boolean;
  readonly #readings = new Map<string, Reading>();
  /** The logs to read. */
  readonly jobs: Job[] = [];

  constructor(logs: StampedLogs, index: LogIndex | null) {
    this.logs = logs;
    this.#index = index;
    const { entries, areTold } = index?.logs(logs.reader) ?? { entries: [], areTold: false };
    this.#before = new Map(entries.map((entry) => [entry.path, entry]));
    this.#areTold = areTold;
    for (const [path, stamp] of logs.stamps) {
      const entry = this.#before.get(path);
      if (entry && isCurrent(entry, stamp)) {
        this.#readings.set(path, { entry, usage: entry.usage });
      } else {
        const bytes = stamp.size - resumeAt(entry, stamp);
        this.jobs.push({ tool: logs.reader.tool, path, before: entry, bytes });
      }
    }
  }

  add({ path }: Job, outcome: Outcome): void {
    if ('reason' in outcome) this.logs.unreadable.push(outcome.reason);
    else this.#readings.set(path, outcome);
  }

  /** Whether there are no logs and never were any. */
  get areNone(): boolean {
    return this.logs.stamps.size === 0 && this.#before.size === 0;
  }

  sumUp(): ToolScan {
    const { logs } = this;
    const { reader, roots, files, unreadable } = logs;
    const usages = Array.from(this.#readings.values(), ({ usage }) => usage);
    const logged = reader.merge(usages);
    const responses = withinMost(logged);
    const skipped = sumSkips(usages.map((usage) => usage.skipped));
    addSkip(skipped, 'too_much', logged.length - responses.length);
    const events = responses.length;
    const source = { tool: reader.tool, roots, files, events, skipped, unreadable };
    const buckets = bucketUsage(reader.tool, responses);
    return { logs, responses, ...newsAmong(responses, this.#told()), buckets, source };
  }

  /** The responses that the ledger has for certain; null if unknown. */
  #told(): readonly LoggedResponse[] | null {
    if (!this.#areTold) return null;
    const told = this.logs.reader.merge(Array.from(this.#before.values(), ({ usage }) => usage));
    return withinMost(told).length < told.length ? null : told;
  }

  keep({ buckets, source }: ToolSums): void {
    if (this.#index === null || this.areNone) return;
    const { stamps, reader, unreadable } = this.logs;
    // For a log that could not be read this time, the earlier entry is kept.
    const known = new Map([...this.#before].filter(([path]) => stamps.has(path)));
    for (const [path, { entry }] of this.#readings) known.set(path, entry);
    const entries = [...known.values()];
    if (this.jobs.length > 0 || entries.length < this.#before.size)
      this.#index.keepLogs(reader, entries);
    const isLastingAll = unreadable.length === 0 && entries.every(isLasting);
    if (isLastingAll) this.#index.keepSums(this.logs, { buckets, source });
    else this.#index.dropSums(reader);
  }
}

/** Leaves out the largest responses if the total is more than {@linkcode MOST_TOKENS}. */
function withinMost(responses: LoggedResponse[]): LoggedResponse[] {
  const sum = responses.reduce((total, response) => total + totalOf(response), 0);
  if (sum <= MOST_TOKENS) return responses;
  const rising = [...responses].sort((a, b) => totalOf(a) - totalOf(b));
  let kept = 0;
  return rising.filter((response) => (kept += totalOf(response)) <= MOST_TOKENS);
}
