/**
 * Charts are SVG text, made here alone for pages, pictures and badges. Nothing is inlined as style: a
 * page's policy forbids it, so charts on pages are coloured by their classes (`styles/charts.css`).
 *
 * @module
 */

/** Finished markup: what went into it is escaped already. */
export interface Markup {
  readonly svg: string;
}

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;
export type Child = Markup | string | null | undefined | false;

/** An element with attributes and children; text is escaped, what is null is left out. */
export function el(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  const given = Object.entries(attributes).filter(([, value]) => value != null);
  const head = [name, ...given.map(([key, value]) => `${key}="${escaped(String(value))}"`)];
  const inner = children.map((child) => (child ? textOf(child) : '')).join('');
  return { svg: inner === '' ? `<${head.join(' ')}/>` : `<${head.join(' ')}>${inner}</${name}>` };
}

function textOf(child: Markup | string): string {
  return typeof child === 'string' ? escaped(child) : child.svg;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** What XML cannot hold at all, most control characters and halves of a pair, is left out. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
}

/** A coordinate: two decimals are finer than any screen. */
export function at(value: number): number {
  return Math.round(value * 100) / 100;
}
