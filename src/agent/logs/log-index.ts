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
import { groupBy } from '#core/domain/text/group.ts';
import type { Reader } from '#core/readers/reader.ts';
import type { Cluster } from './clusters.ts';
import { reasonFor } from './files.ts';
import { parseEntries, textOfEntry } from './kept-entry.ts';
import type { Entry } from './read-log.ts';
import type { LedgerMark, ScanLedger } from './scan-ledger.ts';
import type { ToolSums } from './scan-result.ts';
import { readSealed, removeDrafts, writeSealed } from './sealed-file.ts';
import { stampText } from './stamp.ts';
import type { StampedLogs } from './stamped-logs.ts';

const SUMS = 'sums';
const CLUSTERS = 'clusters';

/** The entries of a tool lie in so many files, so that one changed log rewrites one of them. */
const SHARDS = 16;

/** The form of sums and clusters; entries have none of their own. */
const MERGED_FORM = 'marked';

/** What was merged from logs, and the ledger that has the responses behind it; null if none has. */
interface Marked<Merged> {
  mark: LedgerMark | null;
  merged: Merged;
}

/** The entries of one tool by their path. */
export type Entries = ReadonlyMap<string, Entry>;

export class LogIndex {
  readonly #folder: string;
  readonly #ledger: Omit<ScanLedger, 'take'> | null;
  /** The ledger's id when the index was opened. */
  readonly #ledgerId: string | null;
  #isTidy = false;
  /** Why the index could not be kept, told once. */
  readonly notes: string[] = [];

  /** @param ledger What was merged is only known if this ledger has it; null if that does not matter. */
  constructor(folder: string, ledger: Omit<ScanLedger, 'take'> | null = null) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#ledgerId = ledger?.id ?? null;
  }

  /** What a tool's logs came to when they looked as they do now; null if not known. */
  sums(logs: StampedLogs): ToolSums | null {
    return this.#merged<ToolSums>(logs.reader, SUMS, labelOfSums(logs));
  }

  keepSums(logs: StampedLogs, sums: ToolSums): void {
    this.#keepMerged(logs.reader, SUMS, labelOfSums(logs), sums);
  }

  /** The clusters of a tool's logs, as they were at the last scan. */
  clusters(reader: Reader): Cluster[] {
    return this.#merged<Cluster[]>(reader, CLUSTERS, labelOfMerged(reader)) ?? [];
  }

  keepClusters(reader: Reader, clusters: readonly Cluster[]): void {
    this.#keepMerged(reader, CLUSTERS, labelOfMerged(reader), clusters);
  }

  #merged<Merged>({ tool, rules }: Reader, what: string, label: string): Merged | null {
    const body = readSealed(this.#pathOf(`${tool}-${what}`), label);
    if (body === null) return null;
    const { mark, merged } = JSON.parse(body) as Marked<Merged>;
    return this.#isInLedger(mark) && this.#isRecounted(tool, rules) ? merged : null;
  }

  /** One that was lost, or restored from a backup, does not have all that was handed to it. */
  #isInLedger(mark: LedgerMark | null): boolean {
    if (this.#ledger === null) return true;
    return mark !== null && mark.id === this.#ledger.id && mark.run <= this.#ledger.run;
  }

  /** Other rules count all logs of a tool anew. */
  #isRecounted(tool: string, rules: number): boolean {
    return this.#ledger === null || this.#ledger.rulesOf(tool) === rules;
  }

  #keepMerged<Merged>(reader: Reader, what: string, label: string, merged: Merged): void {
    const { id, run } = this.#ledger ?? { id: null, run: 0 };
    // One that was begun anew meanwhile has only what was handed over in this scan.
    const mark = id !== null && id === this.#ledgerId ? { id, run } : null;
    const marked: Marked<Merged> = { mark, merged };
    this.#write(`${reader.tool}-${what}`, label, JSON.stringify(marked));
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

function labelOfMerged(reader: Reader): string {
  return `${labelOf(reader)} ${MERGED_FORM}`;
}

/** Names all that the sums depend on. */
function labelOfSums(logs: StampedLogs): string {
  const { roots, stamps, unreadable } = logs;
  const stamped = Array.from(stamps, ([path, stamp]) => [path, stampText(stamp)]);
  const text = JSON.stringify([roots, stamped, unreadable]);
  return `${labelOfMerged(logs.reader)} ${createHash('sha256').update(text).digest('base64url')}`;
}

function shardOf(path: string): number {
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) | 0;
  return (hash >>> 0) % SHARDS;
}
