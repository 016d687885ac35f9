/** The worst that a text can be for what reads it by patterns: long, and almost fitting. */
import { expect } from 'vitest';
import { cpuMsOf } from '#tests/support/board/time.ts';

/** Beginnings that lead a pattern on, of all that the board reads by patterns. */
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
/** Sixteen times as long: what takes time by the square of its length then takes 256 times as long. */
const LONG_LENGTH = 16 * FIRST_LENGTH;
const SUSPICIOUS_MS = 8;
/** What a text of 96 kB may take; nothing that reads it once comes near. */
const MOST_MS = 400;

/**
 * Expects a reader to take no longer than its text is long for each of the worst texts, and to throw
 * nothing but what `refusal` knows.
 *
 * @param reader Takes the text as its wire would hand it over.
 * @param isRefusal Whether an error is one that the reader is documented to throw.
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
        // Twice: the first time may include a compilation.
        const times = [1, 2].map(() => cpuMsOf(() => attempt(reader, long, isRefusal)));
        expect(Math.min(...times), JSON.stringify([beginning, letters, end])).toBeLessThan(MOST_MS);
      }
    }
  }
}

/** Runs a reader; what it refuses is fine, what else it throws is not. */
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
