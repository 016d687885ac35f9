/**
 * The public log from its parts: its file without entries, and the lines of the entries. The result has the same lines
 * as the whole file, whose signed end covers all of them, so it is checked in the same way.
 *
 * @module
 */
import type { HeaderLine } from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { readLine } from './public-log-line.ts';

/** The parts do not fit together. */
export class UnusableParts extends Error {
  override readonly name = 'UnusableParts';
}

interface LogParts {
  /** The lines of the file without entries. */
  others: AsyncIterable<string>;
  /** The lines of the entries, in order and at least up to the last one of the header. */
  entries: (header: HeaderLine) => AsyncIterable<string>;
}

/**
 * Yields the lines of the whole log, without line feeds.
 *
 * @throws {UnusableParts} if the header or an entry is missing.
 */
export async function* composedLog(
  { others, entries }: LogParts,
  sha256: Sha256,
): AsyncGenerator<string> {
  let header: HeaderLine | null = null;
  let next: AsyncIterator<string> | null = null;
  let index = 0;
  for await (const text of others) {
    header ??= headerIn(text, sha256);
    next ??= entries(header)[Symbol.asyncIterator]();
    for (const before = entriesBefore(text, header, sha256); index < before; index += 1) {
      const { value, done } = await next.next();
      if (done) throw new UnusableParts(`The line of entry ${index + 1} is missing`);
      yield value;
    }
    yield text;
  }
}

function headerIn(text: string, sha256: Sha256): HeaderLine {
  const { line } = readLine(text, sha256);
  if (line?.line === 'header') return line;
  throw new UnusableParts('There is no header');
}

/** How many entries come before a line at least. */
function entriesBefore(text: string, { log_index }: HeaderLine, sha256: Sha256): number {
  const { line } = readLine(text, sha256);
  if (line?.line === 'end') return log_index;
  return line?.line === 'board' ? line.log_index : 0;
}
