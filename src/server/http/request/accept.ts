/** Which media type a client prefers. */

const MARKDOWN = 'text/markdown';

/**
 * Returns whether a client prefers Markdown: it names the type, with a weight of at least that of HTML. Ranges such
 * as `text/*` do not name the type, so browsers get HTML.
 *
 * @param accept The Accept field.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 | RFC 9110, section 12.5.1}
 */
export function prefersMarkdown(accept: string | null | undefined): boolean {
  if (accept == null || !accept.toLowerCase().includes(MARKDOWN)) return false;
  const weights = new Map(accept.split(',').flatMap(weightOf));
  const ofHtml = ['text/html', 'text/*', '*/*'].find((range) => weights.has(range)) ?? '';
  const weight = weights.get(MARKDOWN) ?? 0;
  return weight > 0 && weight >= (weights.get(ofHtml) ?? 0);
}

/** Parses a media range and its weight from 0 to 1. Returns nothing if either is invalid. */
function weightOf(text: string): [range: string, weight: number][] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return [[range, 1]];
  return WEIGHT.test(given) ? [[range, Number(given.slice('q='.length))]] : [];
}

const WEIGHT = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
