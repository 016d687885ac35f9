import { describe, expect, test } from 'vitest';
import { readArguments } from '#agent/command.ts';

const TAKES = { command: 'submit', options: ['board', 'days', 'dry-run', 'json'] } as const;

describe('readArguments()', () => {
  test('reads options and words, in any order', () => {
    const args = ['one', '--json', '--days=3', '--board', 'https://bench.example.org', '--', '--x'];

    expect(readArguments(args, { ...TAKES, words: 2 })).toMatchObject({
      board: 'https://bench.example.org',
      days: '3',
      json: true,
      dryRun: false,
      words: ['one', '--x'],
    });
  });

  test.each([
    [['--dryrun'], 'submit does not take --dryrun'],
    [['--local'], 'submit does not take --local'],
    [['--colour=red'], 'submit does not take --colour'],
    [['-j'], 'submit does not take -j'],
    [['-15', '2'], 'submit takes no number below 0: -15'],
    [['--constructor'], 'submit does not take --constructor'],
    [['now'], 'submit does not take "now"'],
    [['--board'], 'submit needs a value after --board'],
    [['--board', '--json'], 'submit needs a value after --board'],
    [['--json=yes'], 'submit takes no value with --json'],
  ])('refuses %j and tells what it takes', (args, message) => {
    const hint = 'It takes --board, --days, --dry-run and --json: opbench submit --help';

    expect(() => readArguments(args, TAKES)).toThrow(
      expect.objectContaining({ exitCode: 1, message, hint }),
    );
  });

  test('leaves a number below 0 to who reads it', () => {
    expect(readArguments(['--days', '-3'], TAKES)).toMatchObject({ days: '-3' });
  });
});
