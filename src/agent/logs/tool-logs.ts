/** The logs of one tool in one scan: what has to be read of them, and what they come to. */
import { bucketUsage, totalOf } from '#core/domain/counting/bucket.ts';
import { addSkip, sumSkips } from '#core/readers/reader.ts';
import type { LoggedResponse } from '#core/schema/usage.ts';
import { reasonFor } from './files.ts';
import type { LogIndex, ToolSums } from './log-index.ts';
import {
  type Entry,
  LogReader,
  type Pace,
  type Reading,
  isCurrent,
  isLasting,
  resumeAt,
} from './read-log.ts';
import type { StampedLogs } from './stamp.ts';

/**
 * The most tokens that the logs of a tool can tell of: centuries of heavy use, and so far below the
 * most that a board counts of an operator that one wrong record cannot take the room of all others.
 */
const MOST_TOKENS = 2 ** 48;

/** What the logs of one tool come to, and the responses behind it. */
export interface ToolScan extends ToolSums {
  logs: StampedLogs;
  responses: readonly LoggedResponse[];
}

export class ToolLogs {
  readonly logs: StampedLogs;
  readonly #index: LogIndex | null;
  readonly #before: ReadonlyMap<string, Entry>;
  /** What is known of the logs as they are now. */
  readonly #readings = new Map<string, Reading>();
  readonly #toRead: string[] = [];
  /** About how many bytes have to be read. */
  readonly bytes: number;

  constructor(logs: StampedLogs, index: LogIndex | null) {
    this.logs = logs;
    this.#index = index;
    const entries = index?.entries(logs.reader) ?? [];
    this.#before = new Map(entries.map((entry) => [entry.path, entry]));
    let bytes = 0;
    for (const [path, stamp] of logs.stamps) {
      const entry = this.#before.get(path);
      if (entry && isCurrent(entry, stamp)) {
        this.#readings.set(path, { entry, usage: entry.usage });
      } else {
        this.#toRead.push(path);
        bytes += stamp.size - resumeAt(entry, stamp);
      }
    }
    this.bytes = bytes;
  }

  async read(pace: Pace): Promise<void> {
    if (this.#toRead.length === 0) return;
    const reader = new LogReader(this.logs.reader, pace);
    for (const path of this.#toRead) {
      try {
        this.#readings.set(path, await reader.read(path, this.#before.get(path)));
      } catch (error) {
        this.logs.unreadable.push(reasonFor(path, error));
      }
    }
  }

  /** Whether there are no logs, and were none. */
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
    return { logs, responses, buckets: bucketUsage(reader.tool, responses), source };
  }

  keep({ buckets, source }: ToolSums): void {
    if (this.#index === null || this.areNone) return;
    const { stamps, reader, unreadable } = this.logs;
    // Of a log that could not be read this time, what was known before.
    const known = new Map([...this.#before].filter(([path]) => stamps.has(path)));
    for (const [path, { entry }] of this.#readings) known.set(path, entry);
    const entries = [...known.values()];
    if (this.#toRead.length > 0 || entries.length < this.#before.size)
      this.#index.keepEntries(reader, entries);
    const isLastingAll = unreadable.length === 0 && entries.every(isLasting);
    if (isLastingAll) this.#index.keepSums(this.logs, { buckets, source });
  }
}

/** Leaves out the largest responses where the sum of all is more than {@linkcode MOST_TOKENS}. */
function withinMost(responses: LoggedResponse[]): LoggedResponse[] {
  const sum = responses.reduce((total, response) => total + totalOf(response), 0);
  if (sum <= MOST_TOKENS) return responses;
  const rising = [...responses].sort((a, b) => totalOf(a) - totalOf(b));
  let kept = 0;
  return rising.filter((response) => (kept += totalOf(response)) <= MOST_TOKENS);
}
