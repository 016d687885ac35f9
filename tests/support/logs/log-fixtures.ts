/** The cases in `tests/fixtures/logs`: small logs of one tool and their expected result. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Elements } from '#agent/logs/elements.ts';
import { LineFinder } from '#agent/logs/lines.ts';
import { bucketUsage } from '#core/domain/counting/bucket.ts';
import { type FileUsage, type Reader, type Skips, sumSkips } from '#core/readers/shared/reader.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { rowsIn } from './log-database.ts';

interface Expected {
  /** The rule that it tests. */
  note: string;
  /** Where the case's folder would be in a home folder. */
  home: string;
  buckets: Bucket[];
  skipped: Skips;
}

export interface LogCase extends Expected {
  tool: string;
  name: string;
  folder: string;
}

/** All cases of a tool. */
export function logCases(tool: string): LogCase[] {
  const home = fileURLToPath(new URL(`../../fixtures/logs/${tool}/`, import.meta.url));
  return readdirSync(home).map((name) => {
    const folder = `${home}${name}`;
    const expected = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as Expected;
    return { tool, name, folder, ...expected };
  });
}

/** The texts of a case's logs by path. A database is given as SQL. */
export function logTexts({ folder }: LogCase): [path: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(jsonl(\..*)?|json|sql)$/.test(path) && path !== 'expected.json')
    .map((path) => [path, readFileSync(`${folder}/${path}`, 'utf8')]);
}

/** The lines that a reader receives from a case's logs. */
function logLines(reader: Reader, of: LogCase): [path: string, lines: string[]][] {
  return logTexts(of).map(([path, text]) => {
    return [path, linesIn(reader, path, text)];
  });
}

/** The lines that a reader receives from one log. */
export function linesIn(reader: Reader, path: string, text: string): string[] {
  if (path.endsWith('.sql')) return rowsIn(reader, text);
  return textLines(reader, path, text).filter((line) => {
    return reader.needles.some((needle) => line.includes(needle));
  });
}

function textLines({ arrays, needles }: Reader, path: string, text: string): string[] {
  if (!path.endsWith('.json')) return text.split('\n');
  return arrays ? elementsIn(text, needles) : [text];
}

/** The elements of an array that contain a needle, or the document. */
function elementsIn(text: string, needles: readonly string[]): string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  const lines: string[] = [];
  const finder = new LineFinder(needles);
  finder.begin((line) => void lines.push(line));
  const bytes = Buffer.from(text);
  new Elements().split(bytes);
  bytes.copy(finder.room());
  finder.added(bytes.length);
  return lines;
}

/** A case's logs as pasted text. */
export function pastedCase(tool: string, name: string): string {
  const found = logCases(tool).filter((one) => one.name === name);
  return found
    .flatMap(logTexts)
    .map(([, text]) => text)
    .join('\n');
}

/** The usage of a file with these lines. With `before`, they follow the earlier ones. */
export function readLines<Usage extends FileUsage>(
  reader: Reader<Usage>,
  path: string,
  lines: readonly string[],
  before?: Usage,
): Usage {
  const file = reader.open(path, before);
  lines.forEach((line) => file.line(line));
  return file.finish();
}

/** The usage of a case's files. */
export function readCase<Usage extends FileUsage>(reader: Reader<Usage>, of: LogCase): Usage[] {
  return logLines(reader as Reader, of).map(([path, lines]) => readLines(reader, path, lines));
}

/** The same for a copy of the case's folder in another folder. */
export function readCaseIn<Usage extends FileUsage>(
  folder: string,
  reader: Reader<Usage>,
  of: LogCase,
): Usage[] {
  return logLines(reader as Reader, of).map(([path, lines]) => {
    return readLines(reader, `${folder}/${path}`, lines);
  });
}

/**
 * The usage of a case's files. Files of lines are read in two parts, with the first usage stored as JSON in between. Other
 * files are always read completely.
 */
export function readInParts<Usage extends FileUsage>(reader: Reader<Usage>, of: LogCase): Usage[] {
  return logLines(reader as Reader, of).map(([path, lines]) => {
    if (!/\.jsonl(\.|$)/.test(path)) return readLines(reader, path, lines);
    const middle = Math.ceil(lines.length / 2);
    const before = throughJson(readLines(reader, path, lines.slice(0, middle)));
    return readLines(reader, path, lines.slice(middle), before);
  });
}

/** The result of files, in the form of a case's expected result. */
export function totalsOf<Usage extends FileUsage>(reader: Reader<Usage>, files: readonly Usage[]) {
  return {
    buckets: bucketUsage(reader.tool, reader.merge(files)),
    skipped: sumSkips(files.map((file) => file.skipped)),
  };
}

/** A value after a round trip through JSON. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
