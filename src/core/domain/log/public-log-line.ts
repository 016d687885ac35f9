/**
 * The lines of the public log as text. Each line is compact JSON with its members in the order of the schema and a
 * checksum at the end. Each value therefore has exactly one text, and damage is found in its line. The checksum does
 * not prevent forgery. The signature at the end, the hash chain and the recomputed boards do.
 *
 * @module
 */
import {
  type BoardKeyLine,
  type BoardLine,
  type EndLine,
  type EntryLine,
  type HeaderLine,
  LINES,
  type LineName,
  type PublicLogEnd,
  type PublicLogLine,
  type SectionName,
  type StandingLine,
} from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { hex } from './log-entry.ts';

/** A line without its checksum. */
export type NewLine =
  | Omit<BoardKeyLine, 'check'>
  | Omit<BoardLine, 'check'>
  | Omit<EndLine, 'check'>
  | Omit<EntryLine, 'check'>
  | Omit<HeaderLine, 'check'>
  | Omit<StandingLine, 'check'>;

/** The result of reading a line. */
interface ReadLine {
  /** Null if it is not a line of the public log. */
  line: PublicLogLine | null;
  /** Whether the checksum matches the text. */
  isWhole: boolean;
}

const CHECK_DIGITS = 16;
const CHECK = /,"check":"([0-9a-f]{16})"\}$/;

/** A line's text, without line feed. */
export function lineText(line: NewLine, sha256: Sha256): string {
  const text = JSON.stringify(line);
  return `${text.slice(0, -1)},"check":"${checkOf(text, sha256)}"}`;
}

/** Reads a line. Other spellings of the same values are rejected. */
export function readLine(text: string, sha256: Sha256): ReadLine {
  const [end, check] = CHECK.exec(text) ?? [''];
  const isWhole =
    check !== undefined && checkOf(`${text.slice(0, -end.length)}}`, sha256) === check;
  return { line: parseLine(text), isWhole };
}

function checkOf(text: string, sha256: Sha256): string {
  return hex(sha256(text)).slice(0, CHECK_DIGITS);
}

function parseLine(text: string): PublicLogLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const name = (value as { line?: unknown } | null)?.line;
  if (typeof name !== 'string' || !Object.hasOwn(LINES, name)) return null;
  const parsed = LINES[name as LineName].safeParse(value);
  return parsed.success && JSON.stringify(parsed.data) === text ? parsed.data : null;
}

/** An incremental SHA-256. */
export interface RunningHash {
  update(text: string): unknown;
  digest(encoding: 'hex'): string;
}

/** All sections of the file, in the order of the end line. */
export const SECTIONS: readonly SectionName[] = [
  'header',
  'board_key',
  'entry',
  'board',
  'standing',
];

/** Counts and hashes the lines of each kind. */
export class SectionSums {
  readonly #sums: ReadonlyMap<string, { lines: number; hash: RunningHash }>;

  constructor(createHash: () => RunningHash) {
    this.#sums = new Map(SECTIONS.map((name) => [name, { lines: 0, hash: createHash() }]));
  }

  /** Adds a line. The end line is not part of any section. */
  add(name: LineName, text: string): void {
    const sum = this.#sums.get(name);
    if (!sum) return;
    sum.lines += 1;
    sum.hash.update(`${text}\n`);
  }

  /** The sums. No more lines can be added afterwards. */
  result(): PublicLogEnd['sections'] {
    const sums = [...this.#sums].map(([name, { lines, hash }]) => {
      return [name, { lines, sha256: hash.digest('hex') }];
    });
    return Object.fromEntries(sums) as PublicLogEnd['sections'];
  }
}

/** The name of a line in a sentence. */
export function nameOfLine(line: PublicLogLine): string {
  switch (line.line) {
    case 'header':
    case 'end':
      return `the ${line.line}`;
    case 'board_key':
      return `the board's key ${line.keyid}`;
    case 'entry':
      return `entry ${line.log_index} (${line.kind})`;
    case 'board':
      return `the ${line.kept === 'daily' ? 'daily' : 'current'} board of ${line.as_of}`;
    case 'standing':
      return `the row of ${line.name}`;
  }
}
