/**
 * What is kept of earlier scans, so that a scan reads only what is new. It can be lost at any time:
 * whatever is missing or harmed is read again from the logs. It holds counts and the ids of
 * responses and sessions, nothing that was said.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '#core/domain/group.ts';
import type { Reader } from '#core/readers/reader.ts';
import type { Cluster } from './clusters.ts';
import { reasonFor } from './files.ts';
import { parseEntries, textOfEntry } from './kept-entry.ts';
import type { Entry } from './read-log.ts';
import type { ToolSums } from './scan-result.ts';
import { readSealed, removeDrafts, writeSealed } from './sealed-file.ts';
import { stampText } from './stamp.ts';
import type { StampedLogs } from './stamped-logs.ts';

const SUMS = 'sums';
const CLUSTERS = 'clusters';

/** The entries of a tool lie in so many files, so that one changed log rewrites one of them. */
const SHARDS = 16;

/** The entries of one tool by their path. */
export type Entries = ReadonlyMap<string, Entry>;

export class LogIndex {
  readonly #folder: string;
  #isTidy = false;
  /** Why the index could not be kept, told once. */
  readonly notes: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What a tool's logs came to when they looked as they do now; null if not known. */
  sums(logs: StampedLogs): ToolSums | null {
    const body = readSealed(this.#pathOf(`${logs.reader.tool}-${SUMS}`), labelOfSums(logs));
    return body === null ? null : (JSON.parse(body) as ToolSums);
  }

  keepSums(logs: StampedLogs, sums: ToolSums): void {
    this.#write(`${logs.reader.tool}-${SUMS}`, labelOfSums(logs), JSON.stringify(sums));
  }

  /** The clusters of a tool's logs, as they were at the last scan. */
  clusters(reader: Reader): Cluster[] {
    const body = readSealed(this.#pathOf(`${reader.tool}-${CLUSTERS}`), labelOf(reader));
    return body === null ? [] : (JSON.parse(body) as Cluster[]);
  }

  keepClusters(reader: Reader, clusters: readonly Cluster[]): void {
    const name = `${reader.tool}-${CLUSTERS}`;
    this.#write(name, labelOf(reader), JSON.stringify(clusters));
  }

  /** What is known of these logs, and of others that are kept with them. */
  entries(reader: Reader, paths: readonly string[]): Entry[] {
    return [...new Set(paths.map(shardOf))].flatMap((shard) => {
      const body = readSealed(this.#pathOf(nameOf(reader, shard)), labelOf(reader));
      return body === null ? [] : parseEntries(body);
    });
  }

  /**
   * Keeps the entries of a tool, where they differ from those that were kept before.
   *
   * @param texts New entries as text, by their path.
   */
  keepEntries(reader: Reader, before: Entries, now: Entries, texts: ReadonlyMap<string, string>) {
    const gone = [...before.keys()].filter((path) => !now.has(path));
    const changed = new Set([...texts.keys(), ...gone].map(shardOf));
    const shards = groupBy(now.values(), ({ path }) => shardOf(path));
    for (const shard of changed) {
      const entries = shards.get(shard) ?? [];
      this.#writeShard(nameOf(reader, shard), labelOf(reader), entries, texts);
    }
  }

  #writeShard(
    name: string,
    label: string,
    entries: readonly Entry[],
    texts: ReadonlyMap<string, string>,
  ): void {
    const list = entries.map((entry) => texts.get(entry.path) ?? textOfEntry(entry));
    if (list.length > 0) this.#write(name, label, `[${list.join(',')}]`);
    else this.#change(() => rmSync(this.#pathOf(name), { force: true }));
  }

  #write(name: string, label: string, body: string): void {
    this.#change(() => writeSealed(this.#pathOf(name), label, body));
  }

  /** Changes the index; whoever cannot do so once does not try again. */
  #change(change: () => void): void {
    if (this.notes.length > 0) return;
    try {
      change();
      if (!this.#isTidy) removeDrafts(this.#folder);
      this.#isTidy = true;
    } catch (error) {
      const reason = reasonFor(this.#folder, error);
      this.notes.push(`the index of logs cannot be kept, so that scans stay slow: ${reason}`);
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

function nameOf({ tool }: Reader, shard: number): string {
  return `${tool}-${shard}`;
}

function labelOf({ tool, rules }: Reader): string {
  return `${tool} ${rules}`;
}

/** Names all that the sums depend on. */
function labelOfSums(logs: StampedLogs): string {
  const { roots, stamps, unreadable } = logs;
  const stamped = Array.from(stamps, ([path, stamp]) => [path, stampText(stamp)]);
  const text = JSON.stringify([roots, stamped, unreadable]);
  return `${labelOf(logs.reader)} ${createHash('sha256').update(text).digest('base64url')}`;
}

function shardOf(path: string): number {
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) | 0;
  return (hash >>> 0) % SHARDS;
}
