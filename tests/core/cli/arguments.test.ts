import { describe, expect, test } from 'vitest';
import { oneOf, readArguments, wholeNumber } from '#core/cli/arguments.ts';

const OPTIONS = { board: 'text', days: wholeNumber(1, 90), 'dry-run': 'flag' } as const;
const read = (args: string[], takes: object = {}) =>
  readArguments('submit', args, { options: OPTIONS, ...takes }, ['DATA_DIR']);

describe('readArguments()', () => {
  test('reads options and arguments in any order', () => {
    const args = ['one', '--json', '--days=3', '--board', 'https://bench.example.org', '--', '--x'];

    expect(read(args, { words: 2 })).toMatchObject({
      values: { board: 'https://bench.example.org', days: 3, 'dry-run': false },
      words: ['one', '--x'],
      word: 'one',
      isJson: true,
    });
  });

  test.each([
    [['--dryrun'], 'submit does not take --dryrun'],
    [['--local'], 'submit does not take --local'],
    [['--colour=red'], 'submit does not take --colour'],
    [['-j'], 'submit does not take -j'],
    [['-15', '2'], 'submit does not take a negative number: -15'],
    [['--constructor'], 'submit does not take --constructor'],
    [['now'], 'submit does not take "now"'],
    [['--board'], 'submit needs a value after --board'],
    [['--board', '--json'], 'submit needs a value after --board'],
    [['--json=yes'], 'submit takes no value with --json'],
  ])('rejects %j and lists the options', (args, message) => {
    const advice = 'It takes --board, --days, --dry-run and --json';

    expect(() => read(args)).toThrow(expect.objectContaining({ message, advice }));
  });

  test.each([
    [['--days', '-3'], {}, '--days takes a whole number from 1 to 90'],
    [['--days', '91'], {}, '--days takes a whole number from 1 to 90'],
    [['--w', 'x'], { options: { w: oneOf(['7d', '30d']) } }, '--w takes one of 7d, 30d'],
    [['--data-dir=x'], {}, 'submit does not take --data-dir: set DATA_DIR in the environment'],
    [[], { options: { a: 'needed', b: 'needed' } }, 'submit needs --a, --b'],
    [[], { word: 'FILE', options: {} }, 'submit takes one FILE and --json'],
    [['--json'], { isMute: true }, 'submit prints no result, so it does not take --json'],
  ])('rejects %j with %j', (args, takes, message) => {
    expect(() => read(args, takes)).toThrow(expect.objectContaining({ message, advice: null }));
  });
});
