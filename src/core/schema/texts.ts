/** Schemas of texts that people write. */
import * as z from 'zod';
import { isVisible } from './usage.ts';

const INVISIBLE = 'must not contain control, bidi or other invisible characters';

/** A line of at most `length` visible code points in normal form C. Trims surrounding space. */
export function line(length: number) {
  return z
    .string()
    .trim()
    .normalize('NFC')
    .max(2 * length, { error: tooLong(length), abort: true })
    .refine((text) => isWithin(text, length), tooLong(length))
    .refine(isReadable, INVISIBLE)
    .meta({ maxLength: length });
}

/** Text of at most `length` visible code points in total. Line ends become single line feeds. */
export function lines(length: number) {
  return z
    .string()
    .overwrite((text) => text.replaceAll(/\r\n?/g, '\n'))
    .trim()
    .normalize('NFC')
    .max(2 * length, { error: tooLong(length), abort: true })
    .refine((text) => isWithin(text, length), tooLong(length))
    .refine((text) => isReadable(text.replaceAll('\n', '')), INVISIBLE)
    .meta({ maxLength: length });
}

/** A complete emoji, which can consist of several characters. */
const EMOJI = /\p{RGI_Emoji}/gv;

/** Whether all characters of a text are visible. Invisible ones are allowed only inside an emoji. */
export function isReadable(text: string): boolean {
  return text === text.normalize('NFC') && isVisible(text.replaceAll(EMOJI, ''));
}

function tooLong(length: number): string {
  return `must have at most ${length} characters`;
}

function isWithin(text: string, length: number): boolean {
  return text.length <= length || [...text].length <= length;
}

interface Bounds {
  min?: number;
  max: number;
  words?: { noList: string; tooLong: string };
}

/**
 * A list with limits. A list that is too long is rejected before its entries are validated. zod itself would
 * validate all of them first, and fail if too many are invalid.
 */
export function list<Entry extends z.ZodType>(entry: Entry, { min = 0, max, words }: Bounds) {
  const entries = z.array(entry, words?.noList).min(min).max(max, words?.tooLong);
  return z.preprocess((value, { issues }) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    const bound = { maximum: max, inclusive: true, origin: 'array' } as const;
    const message = words && { message: words.tooLong };
    issues.push({ code: 'too_big', input: value, ...bound, ...message });
    return z.NEVER;
  }, entries);
}
