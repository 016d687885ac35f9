/** What the mapping of a tool names, and what its reader counts. */
import type { FileUsage, Reader } from '#core/readers/shared/reader.ts';

/** The fields that the page lists for a count. */
export function fieldsIn(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
}

/** The counts of the first response in a log with these lines. */
export function countsOf<Usage extends FileUsage>(reader: Reader<Usage>, lines: readonly object[]) {
  const file = reader.open('log');
  for (const line of lines) file.line(JSON.stringify(line));
  const [event] = reader.merge([file.finish()]);
  const { input, output, cache_write, cache_read } = event ?? {};
  return { input, output, cache_write, cache_read };
}
