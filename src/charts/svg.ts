/**
 * Charts are SVG text, made here alone for pages, pictures and badges. Nothing is inlined as style: a
 * page's policy forbids it, so charts on pages are coloured by their classes (`styles/charts.css`).
 *
 * @module
 */
import { escapedMarkup } from '#core/domain/text/escape.ts';

/** PreparedResponse markup: what went into it is escaped already. */
export interface Markup {
  readonly svg: string;
}

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;
export type Child = Markup | string | null | undefined | false;

/** An element with attributes and children; text is escaped, what is null is left out. */
export function el(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  const given = Object.entries(attributes).filter(([, value]) => value != null);
  const head = [name, ...given.map(([key, value]) => `${key}="${escapedMarkup(String(value))}"`)];
  const inner = children.map((child) => (child ? textOf(child) : '')).join('');
  return { svg: inner === '' ? `<${head.join(' ')}/>` : `<${head.join(' ')}>${inner}</${name}>` };
}

function textOf(child: Markup | string): string {
  return typeof child === 'string' ? escapedMarkup(child) : child.svg;
}

/** A coordinate: two decimals are finer than any screen. */
export function at(value: number): number {
  return Math.round(value * 100) / 100;
}
