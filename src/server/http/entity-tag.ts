/** Entity tags: what a client sends back to ask whether an answer has changed. */
import { createHash } from 'node:crypto';

/** The elements and members of a page that say when it was computed. */
const COMPUTED =
  /<time data-computed\b[^>]*>[^<]*<\/time>|"(?:dateModified|temporalCoverage)":"[^"]*"/g;

/** The members of an answer that say when it was computed. */
const MOMENTS = ['as_of', 'generated_at', 'next_refresh_at'] as const;

/** A strong tag: the tag of exactly these bytes. */
export function strongTag(bytes: Uint8Array): string {
  return `"${digestOf(bytes)}"`;
}

/**
 * A weak tag: the tag of all representations that say the same, whatever their encoding and whenever they were
 * computed.
 *
 * @param content What they say, without the moments of the computation.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.8.1 | RFC 9110, section 8.8.1}
 */
export function weakTag(content: string): string {
  return `W/"${digestOf(content)}"`;
}

/** The tag of a page that says when it was computed; null for any other. */
export function pageTag(html: Buffer): string | null {
  // Every byte is a character here, so that all of them count.
  const text = html.toString('latin1');
  const content = withoutMoments(text);
  return content === text ? null : weakTag(content);
}

/** A page without the moments of its computation. */
export function withoutMoments(html: string): string {
  return html.replaceAll(COMPUTED, '');
}

/** The tag of an answer that says when it was computed; null for any other. */
export function answerTag(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if (!MOMENTS.some((name) => name in body)) return null;
  const undated = Object.fromEntries(MOMENTS.map((name) => [name, undefined]));
  return weakTag(JSON.stringify({ ...body, ...undated }));
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
