/** Lines of text that somebody else sends, one at a time, so that memory does not grow with them. */
import { MirrorFault } from './mirror-error.ts';

/** The longest line: a snapshot of 4 MiB, escaped twice. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Yields the lines of a file.
 *
 * @param file The path of the file on the board.
 * @throws {MirrorFault} if a line is too long, is not UTF-8 or does not end.
 */
export async function* linesIn(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > MAX_LINE_BYTES) throw new MirrorFault(file, 'has a line of more than 16 MiB');
    pieces.push(piece);
  };
  const take = () => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    try {
      return decoder.decode(bytes);
    } catch {
      throw new MirrorFault(file, 'is not UTF-8');
    }
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, to));
      yield take();
      from = to + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) throw new MirrorFault(file, 'ends in the middle of a line');
}
