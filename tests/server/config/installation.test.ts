import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildOf, findRoot, resolveSetting } from '#server/config/installation.ts';
import { aDataDir } from '#tests/support/board/context.ts';

/** A folder of the program, as a package contains it. */
function aPackage(build?: string): string {
  const root = aDataDir();
  mkdirSync(join(root, 'dist'));
  if (build !== undefined) writeFileSync(join(root, 'dist', 'build.json'), build);
  return root;
}

describe('a build', () => {
  test('is of one kind', () => {
    expect(buildOf(findRoot(), false).kind).toBe('checkout');
    expect(buildOf(aPackage(), false).kind).toBe('npm package');
    expect(buildOf(aPackage(), true).kind).toBe('container image');
  });

  test.each([
    ['{"version":"1.2.3","commit":"0a1b"}', '0a1b'],
    ['{"version":"1.2.3","commit":null}', null],
    ['{', null],
    ['null', null],
    [undefined, null],
  ])('with %j has the commit %j', (text, commit) => {
    expect(buildOf(aPackage(text), false).commit).toBe(commit);
  });

  test('resolves relative settings in a folder that no upgrade replaces', () => {
    expect(resolveSetting('x', findRoot())).toBe(join(findRoot(), 'x'));
    expect(resolveSetting('x', aPackage())).toBe(join(process.cwd(), 'x'));
  });
});
