import { describe, expect, test } from 'vitest';
import type { MeAnswer } from '#agent/answers.ts';
import { standingText } from '#agent/print.ts';

function aMe(last_submission_at: string | null, over: Partial<MeAnswer> = {}): MeAnswer {
  return {
    codename: 'ada',
    device: { last_submission_at },
    generated_at: '2026-03-10T12:00:00.000Z',
    next_refresh_at: '2026-03-10T12:05:00.000Z',
    standings: [],
    ...over,
  };
}

describe('standingText()', () => {
  test('says from when a submission counts that is newer than the board', () => {
    const text = standingText(aMe('2026-03-10T12:00:00.001Z'));

    expect(text).toBe(
      '  the last submission counts from the publication at 2026-03-10T12:05:00.000Z on',
    );
  });

  test.each([null, '2026-03-10T11:59:59.999Z'])(
    'says that nothing is on the board, last submission: %s',
    (last) => {
      expect(standingText(aMe(last))).toBe('  not on the board: no tokens in any window');
    },
  );

  test('tells rank and value, or what is missing, and words of a later board as they are', () => {
    const metrics = { yield: 403.2 };
    const standings = [
      { window: '30d', rank: 3, total: 9, metrics, reasons: [] },
      {
        window: 'a_year',
        rank: null,
        total: 9,
        metrics,
        reasons: [{ code: 'active_days_low', required: 7, actual: 3 }],
      },
    ];

    expect(standingText(aMe(null, { standings })).split('\n')).toEqual([
      '  30d      rank 3 of 9 by yield (403.2)',
      '  a year   not ranked: 3 of 7 active days',
    ]);
  });
});
