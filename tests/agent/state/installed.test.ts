import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installedCommand, installedFile } from '#agent/state/copy.ts';
import { installedVersion, keepProgram } from '#agent/state/installed.ts';
import { isOlder } from '#agent/version.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { ARE_MODES_ENFORCED, expectMode } from '#tests/support/board/file-mode.ts';

function aProgram(version: string, text = 'run();'): string {
  return `#!/usr/bin/env node\n// opbench ${version}\n${text}\n`;
}

/** A program in a cache, and a home folder with a copy of another one. */
function aPlace(program: string, copy: string | null = null) {
  const file = join(aFolder({ 'opbench.mjs': program }), 'opbench.mjs');
  const HOME = aFolder(copy === null ? {} : { '.config/opbench/opbench.mjs': copy });
  return { file, environment: { HOME } };
}

describe('keepProgram()', () => {
  test('saves an executable copy', () => {
    const place = aPlace(aProgram('0.0.0'));

    const path = keepProgram(place);

    expect(path).toBe(join(place.environment.HOME, '.config', 'opbench', 'opbench.mjs'));
    expect(readFileSync(path, 'utf8')).toBe(aProgram('0.0.0'));
    expectMode(path, 0o700);
    expect(keepProgram({ ...place, file: path })).toBe(path);
  });

  test.each([
    ['equal', aProgram('0.0.0'), false],
    ['from another board', aProgram('0.0.0', 'other();'), true],
    ['newer', aProgram('1.0.0'), false],
    ['of unknown version', 'nothing', true],
  ])('if the copy is %s', (_, copy, isMade) => {
    const place = aPlace(aProgram('0.0.0'), copy);

    const text = readFileSync(keepProgram(place), 'utf8');

    expect(text).toBe(isMade ? aProgram('0.0.0') : copy);
  });

  test('does not copy a program that needs other files', () => {
    const place = aPlace('import "../other.ts";\n');

    expect(() => keepProgram(place)).toThrow('not the built program');
    expect(existsSync(installedFile(place.environment))).toBe(false);
  });

  test('keeps the existing copy if the program needs other files', () => {
    const place = aPlace('import "../other.ts";\n', aProgram('0.0.0'));

    expect(readFileSync(keepProgram(place), 'utf8')).toBe(aProgram('0.0.0'));
  });

  test.runIf(ARE_MODES_ENFORCED)('reports an unwritable path', () => {
    const place = aPlace(aProgram('0.0.0'));
    chmodSync(place.environment.HOME, 0o500);

    expect(() => keepProgram(place)).toThrow('cannot be written');
  });

  test('reports a file in place of the folder', () => {
    const place = aPlace(aProgram('0.0.0'));
    writeFileSync(join(place.environment.HOME, '.config'), '');

    expect(() => keepProgram(place)).toThrow('cannot be');
  });
});

test('the version of a copy is read without running it', () => {
  const { environment } = aPlace('', aProgram('1.2.3', 'throw new Error("ran")'));

  expect(installedVersion(environment)).toBe('1.2.3');
  expect(installedVersion({ HOME: aFolder() })).toBeNull();
});

test.skipIf(process.platform === 'win32').each([
  ['/home/ada', 'node ~/.config/opbench/opbench.mjs'],
  ['/home/ada b', 'node "/home/ada b/.config/opbench/opbench.mjs"'],
])('the copy in %s is run by %s', (HOME, command) => {
  expect(installedCommand({ HOME })).toBe(command);
});

test.runIf(process.platform === 'win32')('on Windows, the copy is run by its full path', () => {
  const HOME = String.raw`C:\Users\ada`;

  expect(installedCommand({ HOME })).toBe(`node "${HOME}\\.config\\opbench\\opbench.mjs"`);
});

test.each([
  ['0.5.0', '0.6.0', true],
  ['0.10.0', '0.9.0', false],
  ['0.6.0', '0.6.0', false],
  ['0.6.0-rc.1', '0.6.0', true],
  ['0.6.0', '0.6.0-rc.1', false],
  ['1.0.0', 'latest', false],
  ['1.0.0', null, false],
])('%s is older than %s: %s', (version, other, isIt) => {
  expect(isOlder(version, other)).toBe(isIt);
});
