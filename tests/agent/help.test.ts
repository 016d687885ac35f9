import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '#agent/command-names.ts';
import { COMMANDS, overview } from '#agent/commands.ts';
import { runOpbench } from '../support/agent/opbench.ts';
import { aFolder } from '../support/logs/log-folder.ts';

/** The length of the longest line. */
function widthOf(text: string): number {
  return Math.max(...text.split('\n').map(({ length }) => length));
}

describe('every command', () => {
  test.each(Object.entries(COMMANDS))(
    '%s has help with usage and an example',
    async (name, load) => {
      const { help, json = '' } = await load();

      expect(help.startsWith(`opbench ${name}: `)).toBe(true);
      expect(help).toContain(`\nUsage: opbench ${name}`);
      expect(help).toContain(`\nExample: opbench ${name}`);
      expect(widthOf(help)).toBeLessThanOrEqual(80);
      expect(json.startsWith(`opbench ${name}`)).toBe(true);
      expect(widthOf(json)).toBeLessThanOrEqual(80);
    },
  );

  test.each([
    [['scan', '--help'], 'help'],
    [['help', 'scan'], 'help'],
    [['scan', '--help', '--json'], 'json'],
    [['--json', 'scan', '--help'], 'json'],
    [['help', 'scan', '--json'], 'json'],
  ] as const)('%j prints its %s', async (words, member) => {
    const { stdout, status } = await runOpbench(words, { HOME: aFolder() });

    expect([status, stdout]).toEqual([0, (await COMMANDS.scan())[member]]);
  });
});

test('the overview fits a terminal, and shows every command and how to run the copy', () => {
  const text = overview('node ~/.config/opbench/opbench.mjs');

  for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(text).toContain("alias opbench='node ~/.config/opbench/opbench.mjs'\n");
  expect(widthOf(text)).toBeLessThanOrEqual(80);
  expect(text.split('\n').length).toBeLessThanOrEqual(28);
});
