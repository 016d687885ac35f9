/** The texts of a page without code, which is exempt. */
import type { ElementContent, Nodes } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

const parser = unified().use(rehypeParse).freeze();

/** Code, and elements that are not read. Names and texts of operators are their own. */
const NOT_SHOWN = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'template']);
/** Elements within a sentence. */
const INLINE = new Set(['a', 'abbr', 'b', 'bdi', 'em', 'i', 'mark', 'small', 'span', 'strong']);
/** Attributes that are read aloud or shown on hover. */
const TEXTS = ['alt', 'ariaLabel', 'placeholder', 'title'];

/** The texts of a page, a line for each block and attribute. */
export function shownText(html: string): string {
  return linesOf(parser.parse(html))
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function linesOf(node: Nodes | ElementContent): string {
  if (node.type === 'text') return node.value.replaceAll(/\s+/g, ' ');
  if (!('children' in node)) return '';
  const inside = node.children.map((child) => linesOf(child as Nodes)).join('');
  if (node.type !== 'element') return inside;
  const { tagName, properties } = node;
  if (NOT_SHOWN.has(tagName)) return '`code`';
  const texts = TEXTS.map((name) => properties[name]).filter((text) => typeof text === 'string');
  const isDescription = tagName === 'meta' && properties['name'] === 'description';
  const about = isDescription ? [...texts, String(properties['content'])] : texts;
  const attributes = about.map((text) => `\n${text}\n`).join('');
  return INLINE.has(tagName) ? attributes + inside : `${attributes}\n${inside}\n`;
}

/** Markdown without its code. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^(```+)[\s\S]*?^\1/gm, '')
    .replaceAll(/`[^`\n]+`/g, '`code`')
    .replaceAll(/\]\([^)\s]+\)/g, ']');
}

/** The comments of a source file, without quoted code. */
export function commentsOf(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  const comments = lines.flatMap((line) => {
    const [, block, text] = /^(\/\*\*?|\*(?!\/)|\/\/|--)\s?(.*)$/.exec(line) ?? [];
    return block === undefined ? [''] : [(text ?? '').replace(/\*\/$/, '')];
  });
  return proseOf(comments.join('\n')).replaceAll(/(?<=\S)\n(?=\S)/g, ' ');
}
