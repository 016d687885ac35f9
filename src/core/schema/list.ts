import * as z from 'zod';

/** How many entries a list has, and other words for what is wrong with it. */
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
