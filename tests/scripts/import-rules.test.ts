import { join } from 'node:path';
import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import { folderCycles, importedFile, siblingFolders } from '../../.config/import-graph.mjs';
import importRules from '../../.config/import-rules.mjs';
import { ROOT } from '#tests/support/board/context.ts';

const TABLE = {
  modules: { log: 'src/core/domain/log', domain: 'src/core/domain', db: 'db' },
  mayImport: { log: [['log'], ['zod', 'node:*']], domain: [['log', 'domain'], []] },
};

/** The lint messages of the import table for a line of a file. */
function judged(file: string, line: string): string[] {
  const config = {
    files: ['**/*.ts'],
    plugins: { imports: importRules },
    rules: { 'imports/table': ['error', TABLE], 'imports/no-hidden': 'error' },
  } as unknown as Linter.Config;
  const linter = new Linter({ cwd: ROOT });
  return linter
    .verify(line, [config], { filename: join(ROOT, file) })
    .map(({ message }) => message);
}

describe('the import table', () => {
  test.each([
    ['src/core/domain/a.ts', "import '#core/domain/log/b.ts';"],
    ['src/core/domain/log/a.ts', "export * from './b.ts';"],
    ['src/core/domain/log/a.ts', "import { z } from 'zod/v4';"],
    ['src/core/domain/log/a.ts', "await import('node:fs');"],
  ])('allows in %s: %s', (file, line) => {
    expect(judged(file, line)).toEqual([]);
  });

  test.each([
    ['src/core/domain/log/a.ts', "import '../b.ts';", 'log may not import domain.'],
    ['src/core/domain/log/a.ts', "export * from '#db/store.ts';", 'log may not import db.'],
    ['src/core/domain/log/a.ts', "await import('zoder');", 'log may not import zoder.'],
    ['src/core/domain/a.ts', "import '#server/x.ts';", 'domain may not import src/server/x.ts.'],
    [
      'src/core/domain/a.ts',
      "import.meta.glob('./*');",
      'The import table cannot check import.meta.glob.',
    ],
    [
      'src/core/domain/a.ts',
      "new URL('./b.ts', import.meta.url);",
      'The import table cannot check a URL of a source file.',
    ],
    ['src/new/a.ts', '1;', 'This file is not in any module of the import table.'],
  ])('rejects in %s: %s', (file, line, message) => {
    expect(judged(file, line)).toEqual([message]);
  });
});

describe('cycles between folders', () => {
  test('are found across several files, and only between sibling folders', () => {
    const graph = new Map([
      ['src/server/a/one.ts', ['src/server/b/deep/one.ts']],
      ['src/server/b/two.ts', ['src/server/c/one.ts']],
      ['src/server/c/two.ts', ['src/server/a/two.ts', 'src/server/d/one.ts']],
      ['src/server/d/one.ts', ['src/core/domain/log/one.ts']],
    ]);

    const groups = folderCycles({ graph });

    expect([...groups.keys()].sort()).toEqual(['src/server/a', 'src/server/b', 'src/server/c']);
    expect(new Set(groups.values()).size).toBe(1);
  });

  test('are searched for between sibling folders', () => {
    expect(siblingFolders('src/agent/a/x.ts', 'src/agent/b/c/y.ts')).toEqual([
      'src/agent/a',
      'src/agent/b',
    ]);
    expect(siblingFolders('src/agent/a/x.ts', 'src/agent/a/c/y.ts')).toBeNull();
    expect(siblingFolders('src/agent/x.ts', 'src/agent/a/y.ts')).toBeNull();
    expect(importedFile('src/agent/x.ts', '#core/domain/a.ts?raw')).toBe('src/core/domain/a.ts');
  });
});
