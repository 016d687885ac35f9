/**
 * Builds SVG text for the charts on pages, pictures and badges. The pages' content security policy forbids inline
 * styles, so charts on pages get their colors from classes (`styles/charts.css`).
 *
 * @module
 */
import { escapedMarkup } from '#core/domain/text/escape.ts';

/** Markup whose content is already escaped. */
export interface Markup {
  readonly svg: string;
}

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;
export type Child = Markup | string | null | undefined | false;

/** An element with attributes and children. Text is escaped; null is left out. */
export function el(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  const given = Object.entries(attributes).filter(([, value]) => value != null);
  const head = [name, ...given.map(([key, value]) => `${key}="${escapedMarkup(String(value))}"`)];
  const inner = children.map((child) => (child ? textOf(child) : '')).join('');
  return { svg: inner === '' ? `<${head.join(' ')}/>` : `<${head.join(' ')}>${inner}</${name}>` };
}

function textOf(child: Markup | string): string {
  return typeof child === 'string' ? escapedMarkup(child) : child.svg;
}

/** A coordinate with two decimals. */
export function at(value: number): number {
  return Math.round(value * 100) / 100;
}
