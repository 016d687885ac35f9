/** The logs of one tool in one scan: what is to be read of them, and what they come to. */
import type { FileUsage } from '#core/readers/reader.ts';
import type { LoggedResponse } from '#core/schema/usage.ts';
import { type Cluster, addUp, areTooMuch, partition, sumTogether, tiesOf } from './clusters.ts';
import type { LogIndex } from './log-index.ts';
import { type Entry, isCurrent, isLasting, mayGoOn } from './read-log.ts';
import type { SizedTask } from './read-logs.ts';
import type { ToolTold } from './scan-ledger.ts';
import type { ToolSums } from './scan-result.ts';
import { stampText } from './stamp.ts';
import type { StampedLogs } from './stamped-logs.ts';
import type { Outcome } from './tasks.ts';

/** What is known of a log that was read, now or earlier. */
interface Known {
  entry: Entry;
  usage: FileUsage;
  ties: number[];
}

/** A cluster, and the responses behind it. */
interface Merged {
  cluster: Cluster;
  responses: LoggedResponse[];
}

export class ToolLogs {
  readonly logs: StampedLogs;
  readonly #index: LogIndex | null;
  /** Clusters that hold as they are. */
  #intact: Cluster[] = [];
  /** Logs of which more has to be known: they changed, or share something with one that did. */
  #wanted: string[];
  /** What the index has of those. */
  readonly #before = new Map<string, Entry>();
  readonly #known = new Map<string, Known>();
  /** What this scan has read, as text. */
  readonly #texts = new Map<string, string>();
  #isLasting = true;
  /** Whether there are no logs, and were none. */
  readonly #isNothing: boolean;
  /** What {@linkcode sumUp} came to. */
  #merged: Merged[] = [];
  #sums: ToolSums | null = null;

  constructor(logs: StampedLogs, index: LogIndex | null) {
    this.logs = logs;
    this.#index = index;
    const clusters = index?.clusters(logs.reader) ?? [];
    this.#intact = clusters.filter((cluster) => this.#isIntact(cluster));
    const settled = new Set(this.#intact.flatMap(pathsOf));
    // Also those that are gone, which the index is to forget.
    const all = new Set([...logs.stamps.keys(), ...clusters.flatMap(pathsOf)]);
    this.#wanted = [...all].filter((path) => !settled.has(path));
    this.#isNothing = all.size === 0;
  }

  #isIntact({ logs }: Cluster): boolean {
    return logs.every(([path, stamp]) => {
      const now = this.logs.stamps.get(path);
      return now !== undefined && stampText(now) === stamp;
    });
  }

  /** What has to be read next; nothing if all is known. */
  next(): SizedTask[] {
    for (;;) {
      const tasks = this.#open(this.#wanted);
      this.#wanted = [];
      if (tasks.length > 0) return tasks;
      this.#touch();
      if (this.#wanted.length === 0) return [];
    }
  }

  /** Takes what the index knows of logs, and tells which have to be read. */
  #open(paths: readonly string[]): SizedTask[] {
    for (const entry of this.#index?.entries(this.logs.reader, paths) ?? []) {
      if (!this.#before.has(entry.path)) this.#before.set(entry.path, entry);
    }
    return paths.flatMap((path) => this.#openOne(path) ?? []);
  }

  #openOne(path: string): SizedTask | null {
    const stamp = this.logs.stamps.get(path);
    if (stamp === undefined) return null;
    const entry = this.#before.get(path);
    if (entry && isCurrent(entry, stamp)) {
      this.#add(entry, entry.usage);
      return null;
    }
    const before = entry && mayGoOn(entry, stamp) ? entry : undefined;
    const bytes = stamp.size - (before?.offset ?? 0);
    return { tool: this.logs.reader.tool, path, before, bytes };
  }

  /** Takes what came of a task. */
  take(path: string, outcome: Outcome): void {
    if ('reason' in outcome) {
      this.logs.unreadable.push(outcome.reason);
      this.#isLasting = false;
    } else {
      this.#texts.set(path, outcome.text);
      this.#add(outcome.entry, outcome.usage);
    }
  }

  #add(entry: Entry, usage: FileUsage): void {
    this.#known.set(entry.path, { entry, usage, ties: tiesOf(this.logs.reader, usage) });
    this.#isLasting &&= isLasting(entry);
  }

  /** Opens the clusters that share something with a log that is known. */
  #touch(): void {
    if (this.#intact.length === 0) return;
    const ties = new Set([...this.#known.values()].flatMap((known) => known.ties));
    let touched = this.#intact.filter((cluster) => cluster.ties.some((tie) => ties.has(tie)));
    // Of what is too much as a whole the largest is left out, wherever it is.
    if (touched.length === 0 && areTooMuch(this.#allWith(this.#mergeKnown())))
      touched = this.#intact;
    this.#intact = this.#intact.filter((cluster) => !touched.includes(cluster));
    this.#wanted = touched.flatMap(pathsOf);
  }

  #mergeKnown(): Merged[] {
    const ties = new Map(Array.from(this.#known, ([path, known]) => [path, known.ties]));
    return partition(ties).map((paths) => this.#merge(paths));
  }

  #allWith(merged: readonly Merged[]): Cluster[] {
    return [...this.#intact, ...merged.map(({ cluster }) => cluster)];
  }

  #merge(paths: readonly string[]): Merged {
    const known = paths.flatMap((path) => this.#known.get(path) ?? []);
    const usages = known.map(({ usage }) => usage);
    const { sums, responses } = sumTogether(this.logs.reader, usages);
    const logs = known.map(({ entry }): [string, string] => [entry.path, stampText(entry.stamp)]);
    const ties = [...new Set(known.flatMap((one) => one.ties))];
    return { cluster: { logs, ties, ...sums }, responses };
  }

  /** What all logs together come to. */
  sumUp(): ToolSums {
    const { reader, roots, files, unreadable } = this.logs;
    this.#merged = this.#mergeKnown();
    if (areTooMuch(this.#allWith(this.#merged))) {
      this.#merged = [this.#merge([...this.#known.keys()])];
    }
    const { buckets, events, skipped } = addUp(this.#allWith(this.#merged));
    const source = { tool: reader.tool, roots, files, events, skipped, unreadable };
    this.#sums = { buckets, source };
    return this.#sums;
  }

  /** What of it the ledger may not know yet; null if there is nothing to tell. */
  told(): ToolTold | null {
    if (this.#isNothing || this.#sums === null) return null;
    const isWhole = this.#intact.length === 0 && this.logs.unreadable.length === 0;
    const responses = this.#merged.flatMap((merged) => merged.responses);
    return { logs: this.logs, buckets: this.#sums.buckets, responses, isWhole };
  }

  /** Keeps for the next scan what was read and summed up. */
  keep(): void {
    const { stamps, reader } = this.logs;
    if (this.#index === null || (stamps.size === 0 && this.#before.size === 0)) return;
    const now = new Map([...this.#before].filter(([path]) => stamps.has(path)));
    for (const [path, { entry }] of this.#known) now.set(path, entry);
    this.#index.keepEntries(reader, this.#before, now, this.#texts);
    const holding = this.#allWith(this.#merged).filter((cluster) => this.#holds(cluster));
    this.#index.keepClusters(reader, holding);
    if (this.#isLasting && this.#sums) this.#index.keepSums(this.logs, this.#sums);
  }

  /** Whether a cluster holds until a stamp changes. */
  #holds({ logs }: Cluster): boolean {
    return logs.every(([path]) => {
      const known = this.#known.get(path);
      return known === undefined || isLasting(known.entry);
    });
  }
}

function pathsOf({ logs }: Cluster): string[] {
  return logs.map(([path]) => path);
}
