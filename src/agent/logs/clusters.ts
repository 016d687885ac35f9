/**
 * Logs that have responses or sessions in common must be merged together; all others need not. What
 * such a cluster of logs comes to holds as long as none of them changes and no other log shares
 * anything with it, so that one changed log does not ask for what all the others say.
 *
 * @module
 */
import { addPillars, bucketKey, bucketUsage, totalOf } from '#core/domain/counting/bucket.ts';
import type { FileUsage, Reader, Skips } from '#core/readers/reader.ts';
import { addSkip, sumSkips } from '#core/readers/skips.ts';
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';

/**
 * The most tokens that the logs of a tool can tell of: centuries of heavy use, and so far below the
 * most that a board counts of an operator that one wrong record cannot take the room of all others.
 */
export const MOST_TOKENS = 2 ** 48;

/** What logs come to that were merged together. */
export interface ClusterSums {
  buckets: Bucket[];
  events: number;
  skipped: Skips;
}

/** Logs that have nothing in common with any log outside. */
export interface Cluster extends ClusterSums {
  /** Each with the stamp that it had, as text. */
  logs: [path: string, stamp: string][];
  /** What they may have in common with others, see {@linkcode tiesOf}. */
  ties: number[];
}

/** The tie of all logs of a tool whose reader does not say what they have in common. */
const TIED = [0];

/** What a log may have in common with others, as numbers: two names may have the same one. */
export function tiesOf({ ties }: Reader, usage: FileUsage): number[] {
  if (ties === undefined) return TIED;
  const hashes = new Set<number>();
  for (const name of ties(usage)) hashes.add(hashOf(name));
  return [...hashes];
}

/** FNV-1a of code units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** Parts logs, by their ties, into those that belong together. */
export function partition(ties: ReadonlyMap<string, readonly number[]>): string[][] {
  const owners = new Map<number, string>();
  const heads = new Map<string, string>();
  const headOf = (path: string): string => {
    let head = path;
    for (let next = heads.get(head); next !== undefined; next = heads.get(head)) head = next;
    if (head !== path) heads.set(path, head);
    return head;
  };
  for (const [path, own] of ties) {
    for (const tie of own) {
      const other = headOf(owners.get(tie) ?? path);
      owners.set(tie, other);
      if (other !== headOf(path)) heads.set(headOf(path), other);
    }
  }
  const parts = new Map<string, string[]>();
  for (const path of ties.keys()) {
    const part = parts.get(headOf(path));
    if (part) part.push(path);
    else parts.set(headOf(path), [path]);
  }
  return [...parts.values()];
}

/** What logs tell together, and what that comes to. */
export function sumTogether(
  reader: Reader,
  usages: readonly FileUsage[],
): { sums: ClusterSums; responses: LoggedResponse[] } {
  const told = reader.merge(usages);
  const responses = withinMost(told);
  const skipped = sumSkips(usages.map((usage) => usage.skipped));
  addSkip(skipped, 'too_much', told.length - responses.length);
  const buckets = bucketUsage(reader.tool, responses);
  return { sums: { buckets, events: responses.length, skipped }, responses };
}

/** What parts that were summed apart come to. */
export function addUp(parts: readonly ClusterSums[]): ClusterSums {
  const sums = new Map<string, Bucket>();
  for (const bucket of parts.flatMap(({ buckets }) => buckets)) {
    const sum = sums.get(bucketKey(bucket));
    if (sum) addPillars(sum, bucket);
    else sums.set(bucketKey(bucket), { ...bucket });
  }
  return {
    buckets: [...sums.values()],
    events: parts.reduce((sum, { events }) => sum + events, 0),
    skipped: sumSkips(parts.map(({ skipped }) => skipped)),
  };
}

/** Whether parts come to more than {@linkcode MOST_TOKENS}. */
export function areTooMuch(parts: readonly ClusterSums[]): boolean {
  const totals = parts.flatMap(({ buckets }) => buckets.map(totalOf));
  return totals.reduce((sum, total) => sum + total, 0) > MOST_TOKENS;
}

/** Leaves out the largest responses where the sum of all is more than {@linkcode MOST_TOKENS}. */
function withinMost(events: LoggedResponse[]): LoggedResponse[] {
  let sum = 0;
  for (const event of events) sum += totalOf(event);
  if (sum <= MOST_TOKENS) return events;
  const rising = [...events].sort((a, b) => totalOf(a) - totalOf(b));
  let kept = 0;
  return rising.filter((event) => (kept += totalOf(event)) <= MOST_TOKENS);
}
