/** Words that anybody wrote, as text inside a format in which characters mean something. */

/** What XML 1.0 cannot hold at all: most control characters, halves of a surrogate pair, U+FFFE and U+FFFF. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * A text without the characters that no XML document can hold, not even as references. Nothing is escaped.
 *
 * @see {@link https://www.w3.org/TR/xml/#charsets | XML 1.0, section 2.2}
 */
export function withoutNonXml(text: string): string {
  return text.replace(NOT_XML, '');
}

/**
 * A text as it is written in HTML, SVG and XML: between tags, or as the value of an attribute in double
 * quotes. What XML cannot hold is left out.
 */
export function escapedMarkup(text: string): string {
  return withoutNonXml(text).replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
}

/**
 * Data as the text of a `script` element: JSON in which nothing can end the element or begin a comment,
 * whoever wrote it.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements | HTML, restrictions for contents of script elements}
 */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

/** PreparedResponse HTML: what went into it is escaped already. */
export interface Html {
  readonly html: string;
}

/** What may be put into a template: text, which is escaped, or HTML, several pieces of which follow each other. */
type HtmlPart = Html | number | string | readonly Html[];

/** HTML of a template, whose own text is taken as it is. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(textOf)) };
}

function textOf(part: HtmlPart): string {
  if (typeof part !== 'object') return escapedMarkup(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
