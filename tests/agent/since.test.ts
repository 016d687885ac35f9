import { describe, expect, test } from 'vitest';
import { UsageError } from '#core/cli/arguments.ts';
import { firstDayAt, readSince } from '#agent/since.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';

const first = (text: string) => firstDayAt(readSince(text, 'since'), NOW_MS);

describe('--since', () => {
  test('takes a day, or a number of days with today', () => {
    expect(first('2026-02-28')).toBe('2026-02-28');
    expect(first('2026-03-10')).toBe('2026-03-10');
    expect(first('1d')).toBe('2026-03-10');
    expect(first('30d')).toBe('2026-02-09');
  });

  test.each([
    '2026-02-30',
    '2026-13-01',
    '2026-2-1',
    '0d',
    '3661d',
    '30',
    'yesterday',
    '',
    '1d\u001b',
  ])('rejects %j with the forms that it takes', (text) => {
    expect(() => readSince(text, 'since')).toThrow(UsageError);
    expect(() => readSince(text, 'since')).toThrow(
      /^--since takes a day such as 2026-11-01, or 1d to 3660d, not "[^\u001b]*"$/,
    );
  });

  test('rejects a day after today', () => {
    expect(() => first('2026-03-11')).toThrow(
      '--since 2026-03-11 is after today, which is 2026-03-10 in UTC',
    );
  });
});
