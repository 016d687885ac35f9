/** The worst texts for regular expressions: long, and almost matching. */
import { expect } from 'vitest';
import { cpuMsOf } from '#tests/support/board/time.ts';

/** Beginnings that keep a pattern matching, for all patterns of the board. */
const BEGINNINGS = [
  '',
  '"',
  '/',
  '//',
  '/badge/',
  '::ffff:',
  '[',
  '{',
  '#!',
  '1',
  '2026-03-01',
  '2026-03-01T00:00:00.',
  'Bearer ',
  'Basic ',
  'Mozilla/5.0 Version/',
  'W/"',
  'application/json;',
  'br',
  'gzip;q=0.',
  'http://',
  'input',
  'input: 1',
  'ob_',
  'q=',
  'session=',
  'text/markdown;q=',
];
const LETTERS = [
  ' ',
  '\t',
  '\n',
  ', ',
  ',br',
  ';',
  '; ',
  ';q=0',
  '=',
  '/',
  './',
  '../',
  '%',
  '%41',
  '%2e',
  '\\',
  '"',
  '\\"',
  '["',
  '{"":',
  '<svg ',
  'a',
  'a ',
  'A-',
  '0',
  '1,',
  '1.',
  '1,000 ',
  ':',
  '_',
  'é',
  '\u0301',
  '\ud800',
];
const ENDS = ['', 'x', '"'];

const FIRST_LENGTH = 6_000;
/** Sixteen times as long. Quadratic time then grows by a factor of 256. */
const LONG_LENGTH = 16 * FIRST_LENGTH;
const SUSPICIOUS_MS = 8;
/** The limit for a text of 96 kB. A reader that is linear stays far below it. */
const MOST_MS = 400;

/**
 * Expects a reader to take linear time for each of the worst texts, and to throw only errors that `isRefusal` accepts.
 *
 * @param reader Takes the text as it is transmitted.
 * @param isRefusal Whether the reader is documented to throw this error.
 */
export function expectLinear(
  reader: (text: string) => unknown,
  isRefusal: (error: unknown) => boolean = () => false,
): void {
  for (const beginning of BEGINNINGS) {
    for (const letters of LETTERS) {
      for (const end of ENDS) {
        const textOf = (length: number) => {
          return beginning + letters.repeat(Math.ceil(length / letters.length)) + end;
        };
        const first = cpuMsOf(() => attempt(reader, textOf(FIRST_LENGTH), isRefusal));
        if (first < SUSPICIOUS_MS) continue;
        const long = textOf(LONG_LENGTH);
        // Twice, because the first run may include compilation.
        const times = [1, 2].map(() => cpuMsOf(() => attempt(reader, long, isRefusal)));
        expect(Math.min(...times), JSON.stringify([beginning, letters, end])).toBeLessThan(MOST_MS);
      }
    }
  }
}

/** Runs a reader. Ignores documented errors, and rethrows others. */
export function attempt<Input>(
  reader: (input: Input) => unknown,
  input: Input,
  isRefusal: (error: unknown) => boolean,
): void {
  try {
    reader(input);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
