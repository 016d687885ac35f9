/** Characters that are handed on at once: so many take a few milliseconds to make. */
const CHUNK_LENGTH = 64 * 1024;

/** Puts short texts together to pieces that are worth sending. */
export function* inChunks(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < CHUNK_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
