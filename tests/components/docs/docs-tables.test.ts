import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withTables } from '#components/docs/docs-tables.ts';
import { readers } from '#core/readers/readers.ts';
import { toolTables } from '#core/readers/tool-tables.ts';
import { uncountedTools } from '#core/readers/uncounted.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { codeIn, docsFiles } from '#tests/support/pages/docs-files.ts';

describe('withTables()', () => {
  test('fills in tables by name, with code between backticks', () => {
    const html = '<p>a</p>\n<!-- table: one -->\n<!-- other -->';
    const one = { head: ['A & B', 'C'], rows: [['`~/<x>` or `y`', '']] };

    expect(withTables(html, { one })).toBe(
      `<p>a</p>
<table><thead><tr><th>A &amp; B</th><th>C</th></tr></thead><tbody><tr><td><code>~/&lt;x&gt;</code> or <code>y</code></td><td></td></tr></tbody></table>
<!-- other -->`,
    );
  });

  test('rejects an unknown name', () => {
    expect(() => withTables('<!-- table: two -->', {})).toThrow('unknown table: two');
  });
});

describe('the tables of the documentation', () => {
  test('list every tool by name', () => {
    const sorted = readers.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
    const names = ({ rows }: { rows: readonly (readonly string[])[] }) =>
      rows.map(([name]) => name);

    expect(names(toolTables.tools)).toEqual(sorted);
    expect(names(toolTables.missing)).toEqual(sorted);
    expect(names(toolTables.uncounted)).toEqual(uncountedTools.map(({ name }) => name));
  });

  test('are all used, and no others', () => {
    const used = docsFiles().flatMap(({ text }) => {
      return [...text.matchAll(/<!-- table: ([\w-]+) -->/g)].map(([, name]) => name);
    });

    expect(used.sort()).toEqual(Object.keys(toolTables).sort());
  });
});

test('the smallest reader is shown as it is', () => {
  const source = readFileSync(join(ROOT, 'src', 'core', 'readers', 'kilo.ts'), 'utf8');
  const page = docsFiles().find(({ file }) => file === 'build/add-a-tool.md');

  expect((page ? codeIn(page) : []).map(({ value }) => value)).toContain(source.trim());
});
