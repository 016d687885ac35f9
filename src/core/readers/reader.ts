/**
 * A reader knows how one tool writes token counts into its logs. It reads text line by line and one
 * file at a time; what a file says is plain JSON, so it can be kept and merged again later without
 * reading that file. What is one response in several files is decided when files are merged.
 *
 * @module
 */
import type { LoggedResponse } from '../schema/usage.ts';

/**
 * Why a line that should tell counts was left out: it is not an object of JSON or too long to hold;
 * or it says an impossible count, time, name of a model or provider, or id. And why a response was:
 * with it the logs come to too much to be true.
 */
export const SKIP_REASONS = [
  'not_json',
  'too_long',
  'count',
  'time',
  'name',
  'id',
  'too_much',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** How many lines were left out, by reason. */
export type Skips = Partial<Record<SkipReason, number>>;

/** What one log file says, as plain JSON; every reader adds its own members. */
export interface FileUsage {
  /** Names the file in reports, and its session where the file itself does not. */
  path: string;
  skipped: Skips;
}

/** Reads one file. */
export interface FileReader<Usage extends FileUsage = FileUsage> {
  /** Takes the file's next line that holds one of the needles; an empty text stands for one that was too long. */
  line(text: string): void;
  /** What the file says so far. */
  finish(): Usage;
}

/** A database table whose rows tell of responses. */
export interface LogTable {
  readonly name: string;
  /** The column that names a response: its value becomes the member `id` of the row's line. */
  readonly id: string;
  /** The column that holds an object of JSON: the row's line. */
  readonly data: string;
}

/**
 * How one tool's logs are read. A log is lines, a single JSON document that is handed in as one
 * line, or a database whose rows are handed in as lines.
 */
export interface Reader<Usage extends FileUsage = FileUsage> {
  readonly tool: string;
  /** Version of the counting rules: a file's usage is only good for the rules that made it. */
  readonly rules: number;
  /** A line that holds none of these is of no interest. */
  readonly needles: readonly string[];
  /** What is read of a database; of each table that is there. */
  readonly tables?: readonly LogTable[];
  /** Opens a file; with `before`, what its beginning said, reading goes on behind that beginning. */
  open(path: string, before?: Usage): FileReader<Usage>;
  /** All usage of a device's files, each response once, by its key; the order of the files does not matter. */
  merge(files: readonly Usage[]): LoggedResponse[];
}

/** Counts lines left out for a reason, in place. */
export function addSkip(skips: Skips, reason: SkipReason, lines = 1): void {
  if (lines > 0) skips[reason] = (skips[reason] ?? 0) + lines;
}

/** What was left out in all parts together. */
export function sumSkips(parts: Iterable<Skips>): Skips {
  const sum: Skips = {};
  for (const part of parts) {
    for (const [reason, lines] of Object.entries(part)) addSkip(sum, reason as SkipReason, lines);
  }
  return sum;
}

/** How many lines were left out, for whatever reason. */
export function skippedLines(skips: Skips): number {
  return Object.values(skips).reduce((sum, lines) => sum + lines, 0);
}

/** Why a text is no object of JSON: what was too much to hold is handed over as no text at all. */
export function unparsed(text: string): SkipReason {
  return text === '' ? 'too_long' : 'not_json';
}

/** A log's name without its folders, which differ where the log is copied or moved to. */
export function logNameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
