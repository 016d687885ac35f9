/** Texts that people write for others to read. */
import * as z from 'zod';
import { isVisible } from './usage.ts';

const INVISIBLE = 'must not hold control, bidi or other invisible characters';

/** One line of at most so many visible code points, in normal form C; space around it is cut off. */
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

/** Lines of at most so many visible code points together, each ended by a line feed alone. */
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

/** What is known as one emoji, however many characters it is made of. */
const EMOJI = /\p{RGI_Emoji}/gv;

/** Whether all of a text that people write can be seen. What is invisible may only be part of an emoji. */
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
 * A list of at most so many entries. One that is longer is refused before any entry is looked at: zod
 * itself would check all of them first, and fails where too many are wrong.
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
