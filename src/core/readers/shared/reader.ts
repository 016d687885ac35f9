/**
 * A reader knows how one tool writes token counts into its logs. It reads text line by line, one file at a time. The usage
 * of a file is plain JSON, so it can be stored and merged later without reading the file again. Which lines of several
 * files are one response is decided when their usage is merged.
 *
 * @module
 */
import type { LoggedResponse } from '../../schema/usage.ts';
import type { LogPlace, Surroundings } from './places.ts';

/**
 * Why a line with counts was skipped: it is not a JSON object, is too long, or has an invalid count, time, name of a model
 * or provider, or ID. `too_much` is a response that makes the total of the logs impossibly large. `spans_days` is a total
 * of more than one UTC day, for example of a session.
 */
export const SKIP_REASONS = [
  'not_json',
  'too_long',
  'count',
  'time',
  'name',
  'id',
  'too_much',
  'spans_days',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The number of skipped lines by reason. */
export type Skips = Partial<Record<SkipReason, number>>;

/** The usage in one log file, as plain JSON. Every reader adds its own members. */
export interface FileUsage {
  /** The path of the file, which also identifies its session if the file does not. */
  path: string;
  skipped: Skips;
}

/** Reads one file. */
export interface FileReader<Usage extends FileUsage = FileUsage> {
  /** Takes the next line that contains a needle. An empty text is a line that was too long. */
  line(text: string): void;
  /** The usage so far. */
  finish(): Usage;
}

/** A database table whose rows are responses or belong to them. */
export type LogTable = DataTable | ColumnTable;

/** A table with JSON. Its rows are passed as lines if they contain a needle. */
export interface DataTable {
  readonly name: string;
  /** The column with the ID of a response, which becomes the member `id` of the row's line. */
  readonly id: string;
  /** The column with a JSON object: the row's line. */
  readonly data: string;
  /** A column with the same, compressed with Zstandard, for rows in which `data` is null. Some versions lack it. */
  readonly packed?: string;
  /** Other columns that become members of the line. */
  readonly members?: readonly string[];
}

/**
 * A table with values. Each row is passed as a JSON object of its columns, with the name of the table as `table`. Needles
 * are not required.
 */
export interface ColumnTable {
  readonly name: string;
  /** Columns that every version has. Binary values (BLOB) become hexadecimal digits. */
  readonly columns: readonly string[];
  /** Columns that some versions lack. They are then missing in the line, too. */
  readonly optional?: readonly string[];
}

/** How a tool is counted, as the site shows it. Each text is one line of Markdown. */
export interface Mapping {
  /** The default folders of the logs. */
  readonly logs: string;
  /** The fields behind each token type. */
  readonly input: string;
  readonly output: string;
  readonly cache_write: string;
  readonly cache_read: string;
  /** Which counts stay null, and why. */
  readonly unknown: string;
  /** What counts as one response. */
  readonly once: string;
  /** What is not counted. */
  readonly missing: string;
}

/**
 * Reads the logs of one tool. A log consists of lines, or is a JSON document that is passed as one line, or a database whose
 * rows are passed as lines.
 */
export interface Reader<Usage extends FileUsage = FileUsage> {
  /** The tool's name on boards. */
  readonly tool: string;
  /** The tool's name in texts. */
  readonly name: string;
  /** The version of the counting rules. The usage of a file is valid only for its version. */
  readonly rules: number;
  /** The environment variables that `places` uses, except those of the user's account. */
  readonly variables: readonly string[];
  /** Where the logs are. */
  readonly places: (at: Surroundings) => LogPlace[];
  /** Lines without any of these texts are ignored. */
  readonly needles: readonly string[];
  /** Whether a document may be an array. Its elements are then passed as lines. */
  readonly arrays?: true;
  /** The tables to read if the log is a database. Missing tables are ignored. */
  readonly tables?: readonly LogTable[];
  readonly mapping: Mapping;
  /** Opens a file. `before` is the usage of its beginning, if reading continues after that. */
  open(path: string, before?: Usage): FileReader<Usage>;
  /** Merges the usage of a device's files, each response once. The order of the files does not matter. */
  merge(files: readonly Usage[]): LoggedResponse[];
}

/** Adds skipped lines for a reason, in place. */
export function addSkip(skips: Skips, reason: SkipReason, lines = 1): void {
  if (lines > 0) skips[reason] = (skips[reason] ?? 0) + lines;
}

/** The sum of skipped lines. */
export function sumSkips(parts: Iterable<Skips>): Skips {
  const sum: Skips = {};
  for (const part of parts) {
    for (const [reason, lines] of Object.entries(part)) addSkip(sum, reason as SkipReason, lines);
  }
  return sum;
}

/** The number of skipped lines for all reasons. */
export function skippedLines(skips: Skips): number {
  return Object.values(skips).reduce((sum, lines) => sum + lines, 0);
}

/** Why a text is not a JSON object. An empty text is a line that was too long. */
export function unparsed(text: string): SkipReason {
  return text === '' ? 'too_long' : 'not_json';
}

/** A log's file name without folders, which stays the same when the log is copied or moved. */
export function logNameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** The folder of a log, by which logs that belong together are found. */
export function logFolderOf(path: string): string {
  return path.replace(/[/\\]?[^/\\]*$/, '');
}
