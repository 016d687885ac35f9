/** The logs of one tool in one scan: what is to be read of them, and what they come to. */
import type { FileUsage } from '#core/readers/reader.ts';
import { type Cluster, addUp, areTooMuch, partition, sumTogether, tiesOf } from './clusters.ts';
import type { LogIndex } from './log-index.ts';
import { type Entry, isCurrent, isLasting, mayGoOn } from './read-log.ts';
import type { SizedTask } from './read-logs.ts';
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

  constructor(logs: StampedLogs, index: LogIndex | null) {
    this.logs = logs;
    this.#index = index;
    const clusters = index?.clusters(logs.reader) ?? [];
    this.#intact = clusters.filter((cluster) => this.#isIntact(cluster));
    const settled = new Set(this.#intact.flatMap(pathsOf));
    // Also those that are gone, which the index is to forget.
    const all = new Set([...logs.stamps.keys(), ...clusters.flatMap(pathsOf)]);
    this.#wanted = [...all].filter((path) => !settled.has(path));
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
    if (touched.length === 0 && areTooMuch(this.#sumApart())) touched = this.#intact;
    this.#intact = this.#intact.filter((cluster) => !touched.includes(cluster));
    this.#wanted = touched.flatMap(pathsOf);
  }

  #sumApart(): Cluster[] {
    const ties = new Map(Array.from(this.#known, ([path, known]) => [path, known.ties]));
    const made = partition(ties).map((paths) => this.#clusterOf(paths));
    return [...this.#intact, ...made];
  }

  #clusterOf(paths: readonly string[]): Cluster {
    const known = paths.flatMap((path) => this.#known.get(path) ?? []);
    return {
      logs: known.map(({ entry }) => [entry.path, stampText(entry.stamp)]),
      ties: [...new Set(known.flatMap(({ ties }) => ties))],
      ...sumTogether(
        this.logs.reader,
        known.map(({ usage }) => usage),
      ),
    };
  }

  /** What all logs together come to, which is kept for the next scan. */
  sumUp(): ToolSums {
    const { reader, roots, files, unreadable } = this.logs;
    const apart = this.#sumApart();
    const clusters = areTooMuch(apart) ? [this.#clusterOf([...this.#known.keys()])] : apart;
    const { buckets, events, skipped } = addUp(clusters);
    const source = { tool: reader.tool, roots, files, events, skipped, unreadable };
    this.#keep(clusters, { buckets, source });
    return { buckets, source };
  }

  #keep(clusters: readonly Cluster[], sums: ToolSums): void {
    const { stamps, reader } = this.logs;
    if (this.#index === null || (stamps.size === 0 && this.#before.size === 0)) return;
    const now = new Map([...this.#before].filter(([path]) => stamps.has(path)));
    for (const [path, { entry }] of this.#known) now.set(path, entry);
    this.#index.keepEntries(reader, this.#before, now, this.#texts);
    this.#index.keepClusters(
      reader,
      clusters.filter((cluster) => this.#holds(cluster)),
    );
    if (this.#isLasting) this.#index.keepSums(this.logs, sums);
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
