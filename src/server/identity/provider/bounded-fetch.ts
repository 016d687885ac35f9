/** How long a foreign server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** More than this is no answer of a provider (256 KiB). */
const MAX_BYTES = 256 * 1024;

/**
 * Fetches from a server that is not trusted to be quick or brief, and follows it nowhere else.
 *
 * @throws {TypeError} if it answers too much or not at all.
 */
export async function boundedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new TypeError('The answer is too long');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
