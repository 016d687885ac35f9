/** HTML as text, where no page is made of it by Astro. */
import { escapedMarkup } from './escape.ts';

/** Finished HTML: what went into it is escaped already. */
export interface Html {
  readonly html: string;
}

/** What may be put into a template: text, which is escaped, or HTML, several pieces of which follow each other. */
export type HtmlPart = Html | number | string | readonly Html[];

/** HTML of a template, whose own text is taken as it is. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(textOf)) };
}

function textOf(part: HtmlPart): string {
  if (typeof part !== 'object') return escapedMarkup(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
