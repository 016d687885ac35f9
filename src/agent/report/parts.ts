/** The parts of a report: sections, tables and figures, with the classes of the site's style sheets. */
import type { Interval } from '#core/domain/metrics/interval.ts';
import { boundsText, tokensText, valueText } from '../../charts/numbers.ts';
import type { Markup } from '../../charts/svg.ts';
import { figure as wholeText } from '../text/figures.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';

/** What stands for a value that does not exist. */
export const NONE = '–';

export const NOTHING: Html = { html: '' };

export function joined(parts: readonly (Html | null)[]): Html {
  return { html: parts.map((part) => part?.html ?? '').join('') };
}

export function drawn({ svg }: Markup): Html {
  return { html: svg };
}

/** A section: the heading, with the content next to it on wide screens. */
export function section(id: string, title: string, ...body: readonly (Html | null)[]): Html {
  return markup`<section class="section" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><div>${joined(body)}</div></section>`;
}

export function paragraph(text: string, kind = ''): Html {
  return markup`<p class="${`measure ${kind}`.trim()}">${text}</p>`;
}

export function listOf(texts: readonly string[]): Html {
  return markup`<ul class="measure">${texts.map((text) => markup`<li>${text}</li>`)}</ul>`;
}

export interface Column {
  head: string;
  /** Whether the cells are numbers. */
  isNumber?: boolean;
  /** Whether the column is left out on narrow screens. */
  isWide?: boolean;
}

/** A cell: its text, an exact value shown when the pointer rests on it, and a second line. */
export type Cell = string | { text: string; exact?: string; below?: string } | Html;

/** A table. The first cell of each row is its name. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  caption?: string,
): Html {
  const head = columns.map((column) => {
    return markup`<th scope="col" class="${classOf(column)}">${column.head}</th>`;
  });
  const body = rows.map((cells) => {
    const [name = '', ...others] = cells;
    const data = others.map((cell, at) => {
      return markup`<td class="${classOf(columns[at + 1])}"${exactOf(cell)}>${contentOf(cell)}</td>`;
    });
    return markup`<tr><th scope="row" class="breaks">${contentOf(name)}</th>${data}</tr>`;
  });
  const title =
    caption === undefined ? NOTHING : markup`<caption class="soft small">${caption}</caption>`;
  return markup`<table>${title}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

export function tokensCell(tokens: number): Cell {
  return { text: tokensText(tokens), exact: wholeText(tokens) };
}

/** A yield, with its interval below. */
export function yieldCell(of: { yield: number | null; interval: Interval | null }): Cell {
  if (of.yield === null) return NONE;
  const below = of.interval ? { below: boundsText('yield', of.interval) } : {};
  return { text: valueText('yield', of.yield), exact: String(of.yield), ...below };
}

function classOf({ isNumber = false, isWide = false }: Partial<Column> = {}): string {
  return [isNumber && 'num', isWide && 'tablet'].filter(Boolean).join(' ');
}

function contentOf(cell: Cell): Html {
  if (typeof cell === 'string') return markup`<bdi>${cell}</bdi>`;
  if ('html' in cell) return cell;
  const below =
    cell.below === undefined ? NOTHING : markup`<span class="interval">${cell.below}</span>`;
  return markup`<bdi>${cell.text}</bdi>${below}`;
}

function exactOf(cell: Cell): Html {
  const isExact = typeof cell === 'object' && 'exact' in cell && cell.exact !== undefined;
  return isExact ? markup` title="${cell.exact ?? ''}"` : NOTHING;
}

/** A chart with its caption, and its data as a table that can be opened. */
export function figure(chart: Markup, caption: string, data?: Html): Html {
  const shown = markup`<figure>${drawn(chart)}<figcaption class="small soft measure">${caption}</figcaption></figure>`;
  return data ? joined([shown, details('Show as a table', data)]) : shown;
}

export function details(summary: string, body: Html, isOpen = false): Html {
  const open = isOpen ? { html: ' open' } : NOTHING;
  return markup`<details${open}><summary class="small">${summary}</summary>${body}</details>`;
}
