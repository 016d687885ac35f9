/**
 * A reader knows how one tool writes token counts into its logs. It reads text line by line and one
 * file at a time; what a file says is plain JSON, so it can be kept and merged again later without
 * reading that file. What is one response in several files is decided when files are merged.
 *
 * @module
 */
import type { UsageEvent } from '../schema/usage.ts';

/** What one log file says, as plain JSON; every reader adds its own members. */
export interface FileUsage {
  /** Names the file in reports, and its session where the file itself does not. */
  path: string;
  /** Lines that should tell counts but are not JSON or say something impossible. */
  skipped_lines: number;
}

/** Reads one file. */
export interface FileReader<Usage extends FileUsage = FileUsage> {
  /**
   * Takes the file's next line that holds one of the needles.
   *
   * @param shortened The line's {@linkcode Gap} was cut out.
   * @returns `false` if a shortened line cannot be judged: nothing was taken, hand in the whole line.
   */
  line(text: string, shortened?: boolean): boolean;
  /** What the file says so far. */
  finish(): Usage;
}

/**
 * A long member that a line can do without: the value behind the first `after` may be replaced by
 * `0`, up to the last `before` in front of the first needle.
 */
export interface Gap {
  readonly after: string;
  readonly before: string;
}

/** How one tool's logs are read. */
export interface Reader<Usage extends FileUsage = FileUsage> {
  readonly tool: string;
  /** Version of the counting rules: a file's usage is only good for the rules that made it. */
  readonly rules: number;
  /** A line that holds none of these is of no interest. */
  readonly needles: readonly string[];
  readonly gap?: Gap;
  /** Opens a file; with `before`, what its beginning said, reading goes on behind that beginning. */
  open(path: string, before?: Usage): FileReader<Usage>;
  /** All usage of a device's files, each response once; the order of the files does not matter. */
  merge(files: readonly Usage[]): UsageEvent[];
}
