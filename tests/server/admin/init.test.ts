import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_FOLDER, readBoardFolder } from '#server/config/board-folder.ts';
import { init } from '#server/admin/commands/init.ts';
import { aBoardFolder, anSvg } from '#tests/support/board/board-folder.ts';
import { callAdmin } from '#tests/support/board/admin.ts';
import { ARE_MODES_ENFORCED } from '#tests/support/board/file-mode.ts';

/** What the command prints on stdout and stderr. */
function run(...args: string[]): { stdout: string; stderr: string } {
  const [stdout, stderr] = callAdmin(init, args);
  return { stdout, stderr };
}

test('init creates a folder that changes nothing yet, and prints its setting', () => {
  const folder = join(aBoardFolder({}), 'a', 'board');

  const { stdout, stderr } = run(folder);

  expect(stdout).toBe(`${join(folder, 'board.toml')}\n${join(folder, 'board.css')}\n`);
  expect(stderr).toContain(`BOARD_DIR=${folder}`);
  expect(readBoardFolder(folder)).toEqual({ board: NO_FOLDER, faults: [] });
});

test('init shows every setting with its default', () => {
  const folder = aBoardFolder({ 'logo.svg': anSvg(1, 1) });
  run(folder);
  const path = join(folder, 'board.toml');
  const settings = readFileSync(path, 'utf8').replaceAll(/^# (?=\w+ = |\[\[)/gm, '');
  writeFileSync(path, settings);

  const { board, faults } = readBoardFolder(folder);

  expect(faults).toEqual([]);
  const { name, site, eligibility, valuesDays, cohorts } = board;
  expect([name, site.description, site.colours, site.stylesheet, eligibility, valuesDays]).toEqual([
    'Opbench',
    NO_FOLDER.site.description,
    NO_FOLDER.site.colours,
    null,
    { ...NO_FOLDER.eligibility, stated_days: 0 },
    NO_FOLDER.valuesDays,
  ]);
  expect([site.links.length, cohorts.length, site.logo?.height]).toEqual([1, 1, 28]);
  expect(settings.match(/^\w+ = /gm)?.length).toBe(4 + 2 + 2 + 16 + 5 + 8 + 1);
});

test('init overwrites nothing, and then writes nothing', () => {
  const folder = aBoardFolder({ 'board.css': 'h1 {}' });

  expect(() => run(folder)).toThrow(`${join(folder, 'board.css')} already exists`);

  expect(readFileSync(join(folder, 'board.css'), 'utf8')).toBe('h1 {}');
  expect(existsSync(join(folder, 'board.toml'))).toBe(false);
});

test('init takes one writable folder', () => {
  const folder = aBoardFolder({ file: '' });

  expect(() => run()).toThrow('init takes one DIR');
  expect(() => run('a', 'b')).toThrow('init does not take "b"');
  expect(() => run(join(folder, 'file'))).toThrow('is a file, not a folder');
  expect(() => run(join(folder, 'file', 'x'))).toThrow('is a file, not a folder');
});

// Root can write anywhere.
test.runIf(ARE_MODES_ENFORCED)('init reports a folder that it cannot write', () => {
  const folder = aBoardFolder({});
  chmodSync(folder, 0o500);

  expect(() => run(join(folder, 'x'))).toThrow('you may not write there');
});
