/** The Markdown files of the documentation. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code, Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { ROOT } from '../board/context.ts';

export interface DocsFile {
  /** The path below `src/content/docs`, with `/` as separator. */
  file: string;
  section: string;
  /** The path on the board. */
  path: string;
  /** The front matter, unparsed. */
  facts: Readonly<Record<string, string>>;
  text: string;
}

const FOLDER = join(ROOT, 'src', 'content', 'docs');
const FACT = /^(\w+): *(?:'(.*)'|"(.*)"|(.*?)) *$/;
const parser = unified().use(remarkParse).use(remarkGfm);

export function docsFiles(): DocsFile[] {
  const names = globSync('**/*', { cwd: FOLDER, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return names.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const file = path.slice(FOLDER.length + 1).replaceAll('\\', '/');
    const source = readFileSync(path, 'utf8');
    const [, front = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
    const facts = front.split('\n').flatMap((line) => {
      const [, key = '', ...values] = FACT.exec(line) ?? [];
      return [[key, values.find((value) => value !== undefined) ?? '']];
    });
    return {
      file,
      section: file.split('/')[0] ?? '',
      path: `/docs/${file.replace(/(?:\/index)?\.md$/, '')}`,
      facts: Object.fromEntries(facts) as Record<string, string>,
      text,
    };
  });
}

/** The addresses that a file links to. */
export function linksIn({ text }: DocsFile): string[] {
  return nodesIn(text).flatMap((node) => {
    return node.type === 'link' || node.type === 'definition' || node.type === 'image'
      ? [node.url]
      : [];
  });
}

/** Its blocks of code. */
export function codeIn({ text }: DocsFile): Code[] {
  return nodesIn(text).filter((node) => node.type === 'code');
}

/** Its headings, as their level and text. */
export function headingsIn({ text }: DocsFile): [level: number, text: string][] {
  return nodesIn(text).flatMap((node) =>
    node.type === 'heading' ? [[node.depth, textIn(node)]] : [],
  );
}

/** Words of the text, including code. */
export function wordCount({ text }: DocsFile): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function nodesIn(text: string): Nodes[] {
  const all = (node: Nodes): Nodes[] => [
    node,
    ...('children' in node ? (node.children as Nodes[]).flatMap(all) : []),
  ];
  return all(parser.parse(text));
}

function textIn(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? (node.children as Nodes[]).map(textIn).join('') : '';
}
