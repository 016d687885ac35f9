/** Texts that people write for others to read. */
import * as z from 'zod';
import { isPlain } from './usage.ts';

const INVISIBLE = 'must not hold control, bidi or other invisible characters';

/** One line of at most so many visible code points, in normal form C; space around it is cut off. */
export function line(length: number) {
  return z
    .string()
    .trim()
    .normalize('NFC')
    .max(2 * length, { error: tooLong(length), abort: true })
    .refine((text) => isWithin(text, length), tooLong(length))
    .refine(isPlain, INVISIBLE)
    .meta({ maxLength: length });
}

/** Lines of at most so many visible code points together, each ended by a line feed alone. */
export function lines(length: number) {
  return z
    .string()
    .overwrite((text) => text.replaceAll(/\r\n?/g, '\n'))
    .trim()
    .normalize('NFC')
    .max(2 * length, { error: tooLong(length), abort: true })
    .refine((text) => isWithin(text, length), tooLong(length))
    .refine((text) => isPlain(text.replaceAll('\n', '')), INVISIBLE)
    .meta({ maxLength: length });
}

function tooLong(length: number): string {
  return `must have at most ${length} characters`;
}

function isWithin(text: string, length: number): boolean {
  return text.length <= length || [...text].length <= length;
}
