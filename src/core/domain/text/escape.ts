/** Escapes untrusted text for HTML, XML and script elements. */

/** Characters that XML 1.0 does not allow: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Removes the characters that XML does not allow, not even as references. Nothing is escaped.
 *
 * @see {@link https://www.w3.org/TR/xml/#charsets | XML 1.0, section 2.2}
 */
export function withoutNonXml(text: string): string {
  return text.replace(NOT_XML, '');
}

/**
 * Escapes text for HTML, SVG and XML, between tags or in double-quoted attributes. Characters that XML does not allow
 * are removed.
 */
export function escapedMarkup(text: string): string {
  return withoutNonXml(text).replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
}

/**
 * JSON for a `script` element. Nothing in it can end the element or begin a comment.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements | HTML, restrictions for contents of script elements}
 */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

/** HTML whose inserted text is already escaped. */
export interface Html {
  readonly html: string;
}

/** A value in a template: text, which is escaped, or one or several pieces of HTML. */
type HtmlPart = Html | number | string | readonly Html[];

/** A tagged template for HTML. The template's own text is not escaped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(textOf)) };
}

function textOf(part: HtmlPart): string {
  if (typeof part !== 'object') return escapedMarkup(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
