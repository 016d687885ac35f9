import { describe, expect, test } from 'vitest';
import type { MeAnswer } from '#agent/answers.ts';
import { standingText } from '#agent/text/standing.ts';

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

  test('tells what is held and why, without letting foreign words steer the terminal', () => {
    const notices = [
      {
        kind: 'held',
        submission: 'S',
        reason: null,
        checks: [{ text: 'Too \u001b[2Jmuch.' }],
        advice: 'Write to the keeper',
      },
      { kind: 'hidden', submission: null, reason: 'Offensive\nname', checks: [], advice: null },
      { kind: 'of-later', submission: null },
    ];

    expect(standingText(aMe(null, { notices })).split('\n').slice(1)).toEqual([
      '  submission S does not count: held',
      '    Too [2Jmuch.',
      '    Write to the keeper',
      '  the keeper hides the account: Offensivename',
      '  of-later',
    ]);
  });

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

  test('tells class, range and change of a board that knows them, in lines of 80 columns', () => {
    const metrics = { yield: 18436.9812345 };
    const standings = [
      {
        ...{ window: '30d', rank: 3, total: 9, metrics, reasons: [] },
        ...{ rank_range: [1, 5] as [number, number], movement: { day: -2, week: 1 } },
      },
      {
        ...{ window: '90d', rank: 98_765, total: 100_000, metrics, reasons: [] },
        ...{ rank_range: [98_001, 99_999] as [number, number], movement: { day: 12_345 } },
      },
      {
        ...{ window: 'all_time', rank: 1, total: 1, metrics, reasons: [] },
        ...{ rank_range: [1, 1] as [number, number], movement: { day: null } },
      },
    ];

    const text = standingText(aMe(null, { class_tier: 'cataract', standings }));

    expect(text.split('\n')).toEqual([
      '  class    cataract',
      '  30d      rank 3 of 9 by yield (18436.9812345), places 1-5 fit the data,',
      '           down 2 since the day before',
      '  90d      rank 98765 of 100000 by yield (18436.9812345),',
      '           places 98001-99999 fit the data, up 12345 since the day before',
      '  all time rank 1 of 1 by yield (18436.9812345)',
    ]);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('names no class of who has none, and lets no word of a board steer the terminal', () => {
    const standings = [{ window: '7d', rank: 1, total: 1, metrics: { yield: 1 }, reasons: [] }];
    const text = (class_tier: string) => standingText(aMe(null, { class_tier, standings }));

    expect(text('unclassed')).not.toContain('class');
    expect(text('ri\u001b[2Jll')).toContain('class    ri[2Jll');
  });
});
