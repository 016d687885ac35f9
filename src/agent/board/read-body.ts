/** Anybody may run a board: of what it sends no more is held than one of ours would send. */
import { EXIT, Failure } from '../failure.ts';

/** The largest answer that is read (16 MiB), and the most that is read of an error (64 KiB). */
const MAX_ANSWER_BYTES = 16 << 20;
const MAX_ERROR_BYTES = 64 << 10;

/**
 * The text of an answer, counted as it is after decompression. An error that is longer than one can be
 * says no more than its status.
 *
 * @throws {Failure} `network` if an answer is too long; the rest of it is not taken.
 */
export async function readBody(url: string, response: Response): Promise<string> {
  if (response.status >= 400) return (await textUpTo(response, MAX_ERROR_BYTES)) ?? '';
  const text = await textUpTo(response, MAX_ANSWER_BYTES);
  if (text !== null) return text;
  const message = `${new URL(url).origin} answers with more than 16 MiB`;
  throw new Failure(EXIT.network, message, 'No board does that. Check the address.');
}

/** Null if there is more than that; then the connection is closed. */
async function textUpTo({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
