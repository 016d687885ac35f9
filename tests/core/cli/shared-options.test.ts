import { describe, expect, test } from 'vitest';
import { takeShared } from '#core/cli/shared-options.ts';

const take = (line: string) => takeShared(line.split(' '), ['env-file']);

describe('takeShared()', () => {
  test.each([
    ['--env-file a doctor --offline', 'doctor --offline'],
    ['--env-file=a doctor --offline', 'doctor --offline'],
    ['doctor --env-file a --offline', 'doctor --offline'],
    ['doctor --offline --env-file=a', 'doctor --offline'],
    ['doctor --env-file a -- --env-file b', 'doctor -- --env-file b'],
  ])('separates the option in "%s"', (line, others) => {
    expect(take(line)).toEqual({ shared: { 'env-file': 'a' }, others: others.split(' ') });
  });

  test('leaves all other words alone', () => {
    for (const line of [
      'doctor --env-files a',
      'held -- --env-file a',
      '-env-file a',
      'env-file',
    ]) {
      expect(take(line)).toEqual({ shared: {}, others: line.split(' ') });
    }
    expect(takeShared(['--env-file', 'a']).others).toEqual(['--env-file', 'a']);
  });

  test('rejects an option without a value, and a repeated one', () => {
    for (const line of ['doctor --env-file', '--env-file --json', '--env-file=', '--env-file --']) {
      expect(() => take(line)).toThrow('--env-file needs a value');
    }
    expect(() => take('--env-file a held --env-file=b')).toThrow('only once');
  });
});
