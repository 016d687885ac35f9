/** Escapes untrusted text for HTML, SVG, XML and script elements. */

/** Characters that XML 1.0 forbids: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Removes the characters that XML forbids even as character references. Does not escape anything.
 *
 * @see {@link https://www.w3.org/TR/xml/#charsets | XML 1.0, section 2.2}
 */
export function withoutNonXml(text: string): string {
  return text.replace(NOT_XML, '');
}

/**
 * Escapes text for HTML, SVG and XML: between tags, or in an attribute value in double quotes. Removes
 * the characters that XML forbids.
 */
export function escapedMarkup(text: string): string {
  return withoutNonXml(text).replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
}

/**
 * Serializes data for a `script` element: JSON that can neither end the element nor begin a comment.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements | HTML, restrictions for contents of script elements}
 */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

/** HTML in which all text is already escaped. */
export interface Html {
  readonly html: string;
}

/** A value in a template: text and numbers are escaped, HTML is not; a list of HTML is concatenated. */
type HtmlPart = Html | number | string | readonly Html[];

/** Template tag: the literal parts are used unescaped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(textOf)) };
}

function textOf(part: HtmlPart): string {
  if (typeof part !== 'object') return escapedMarkup(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
