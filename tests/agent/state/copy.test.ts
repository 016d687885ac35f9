import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '#agent/command-names.ts';
import { COMMANDS } from '#agent/commands.ts';
import { aliasOf, asTyped, installedFile } from '#agent/state/copy.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const TYPED = 'node ~/.config/opbench/opbench.mjs';

/** The place of the saved copy. */
function aCopy() {
  const environment = { HOME: aFolder({ '.config/opbench/opbench.mjs': '' }) };
  return { environment, file: installedFile(environment) };
}

// On Windows, commands contain the full path.
describe.skipIf(process.platform === 'win32')('asTyped()', () => {
  test.each([
    ['Run: opbench auto on', `Run: ${TYPED} auto on`],
    [
      '"opbench mcp config" prints it; opbench --help',
      `"${TYPED} mcp config" prints it; ${TYPED} --help`,
    ],
    ['opbench: this opbench does not record it', 'opbench: this opbench does not record it'],
    ['not /x/opbench scan nor opbench scanner', 'not /x/opbench scan nor opbench scanner'],
  ])('replaces "%s" by the command to type', (text, typed) => {
    expect(asTyped(aCopy(), text)).toBe(typed);
    expect(asTyped(aCopy(), typed)).toBe(typed);
  });

  test('changes nothing if another file runs, or there is no copy', () => {
    const elsewhere = { ...aCopy(), file: '/tmp/cache/opbench.mjs' };
    const nowhere = { environment: { HOME: aFolder() }, file: '/tmp/cache/opbench.mjs' };

    expect(asTyped(elsewhere, 'opbench scan')).toBe('opbench scan');
    expect(asTyped(nowhere, 'opbench scan')).toBe('opbench scan');
  });

  test('changes nothing if the installed command runs the copy', () => {
    const { environment, file } = aCopy();
    const installed = { environment: { ...environment, OPBENCH_ON_PATH: 'yes' }, file };

    expect(asTyped(installed, 'opbench scan')).toBe('opbench scan');
  });

  test('recognizes the copy through a link', () => {
    const { environment, file } = aCopy();
    const link = join(aFolder(), 'home');
    symlinkSync(environment.HOME, link);

    expect(asTyped({ environment: { HOME: link }, file }, 'opbench scan')).toBe(`${TYPED} scan`);
  });
});

test.each([
  ['linux', "alias opbench='node x.mjs'"],
  ['win32', 'function opbench { node x.mjs @args }'],
] as const)('the line for the profile on %s', (platform, line) => {
  expect(aliasOf('node x.mjs', platform)).toBe(line);
});

test('the names match the commands', () => {
  expect(Object.keys(COMMANDS).sort()).toEqual([...COMMAND_NAMES].sort());
});
