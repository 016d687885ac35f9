/** What a reader's `mapping` says, and what it counts. */
import type { FileUsage, Reader } from '#core/readers/shared/reader.ts';

/** The time of the lines. */
export const AT = '2026-03-01T12:00:00Z';

/** The fields that the page lists for a count. */
export function fieldsIn(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
}

/** The token types that a reader counts for lines, at the time {@linkcode AT}. */
export function countsOf<Usage extends FileUsage>(reader: Reader<Usage>, lines: readonly object[]) {
  const file = reader.open('log');
  for (const line of lines) file.line(JSON.stringify(line));
  const [event] = reader.merge([file.finish()]);
  const { input, output, cache_write, cache_read } = event ?? {};
  return { input, output, cache_write, cache_read };
}
