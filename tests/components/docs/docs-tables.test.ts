import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableHtml, withTables } from '#components/docs/docs-tables.ts';
import { readers } from '#core/readers/readers.ts';
import { uncountedTools } from '#core/readers/uncounted.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { codeIn, docsFiles } from '#tests/support/pages/docs-files.ts';
import { DOCS_TABLES } from '../../../src/pages/_docs-tables.ts';

describe('withTables()', () => {
  test('fills in tables by name', () => {
    const html = '<p>a</p>\n<!-- table: one -->\n<!-- other -->';

    expect(withTables(html, { one: '<table></table>' })).toBe(
      '<p>a</p>\n<table></table>\n<!-- other -->',
    );
  });

  test('rejects an unknown name', () => {
    expect(() => withTables('<!-- table: two -->', {})).toThrow('unknown table: two');
  });
});

test('tableHtml() escapes texts, and shows code between backticks', () => {
  expect(tableHtml(['A & B'], [['`~/<x>` or `y`'], ['']])).toBe(
    '<table><thead><tr><th>A &amp; B</th></tr></thead><tbody><tr><td><code>~/&lt;x&gt;</code> or <code>y</code></td></tr><tr><td></td></tr></tbody></table>',
  );
});

describe('the tables of the documentation', () => {
  test('list every tool by name', () => {
    const names = (table = '') =>
      [...table.matchAll(/<tr><td>([^<]+)<\/td>/g)].map(([, name]) => name);
    const sorted = readers.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));

    expect(names(DOCS_TABLES.tools)).toEqual(sorted);
    expect(names(DOCS_TABLES.missing)).toEqual(sorted);
    expect(names(DOCS_TABLES.uncounted)).toEqual(uncountedTools.map(({ name }) => name));
  });

  test('are all used, and no others', () => {
    const used = docsFiles().flatMap(({ text }) => {
      return [...text.matchAll(/<!-- table: ([\w-]+) -->/g)].map(([, name]) => name);
    });

    expect(used.sort()).toEqual(Object.keys(DOCS_TABLES).sort());
  });
});

test('the smallest reader is shown as it is', () => {
  const source = readFileSync(join(ROOT, 'src', 'core', 'readers', 'kilo.ts'), 'utf8');
  const page = docsFiles().find(({ file }) => file === 'build/add-a-tool.md');

  expect((page ? codeIn(page) : []).map(({ value }) => value)).toContain(source.trim());
});
