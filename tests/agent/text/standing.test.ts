import { describe, expect, test } from 'vitest';
import type { MeAnswer } from '#agent/board/answers.ts';
import { standingOf } from '#agent/loop/standing.ts';
import { standingText } from '#agent/text/standing.ts';

const BOARD = 'https://bench.example.org';
/** The page and badge of the operator in these tests. */
const PLACES = [
  '  page     https://bench.example.org/operators/ada',
  '  badge    [![ada on bench.example.org](https://bench.example.org/badge/ada.svg)](https://bench.example.org/operators/ada)',
];

const MISSING = [
  { code: 'effective_days_low', required: 5, actual: 4.99 },
  { code: 'total_low', required: 1_000_000, actual: 330_000 },
  { code: 'coverage_low', required: 0.9, actual: 0.129 },
  { code: 'metric_undefined', required: null, actual: null },
  { code: 'con\u001bstructor', required: 2, actual: 1 },
];

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

function textOf(me: MeAnswer, before: Record<string, number | null> = {}): string {
  return standingText(standingOf(BOARD, me, before));
}

describe('standingText()', () => {
  test('says when a submission counts that is newer than the board', () => {
    const text = textOf(aMe('2026-03-10T12:00:00.001Z'));

    expect(text).toBe('  your last submission counts from the next update: 2026-03-10 12:05 UTC');
  });

  test.each([null, '2026-03-10T11:59:59.999Z'])(
    'says that nothing is on the board, last submission: %s',
    (last) => {
      expect(textOf(aMe(last))).toBe('  not on the board yet: no tokens in any period');
    },
  );

  test('shows submissions on hold and why, without control characters', () => {
    const notices = [
      {
        kind: 'held',
        submission: 'S',
        reason: null,
        checks: [{ text: 'Too \u001b[2Jmuch.' }],
        advice: 'Write to the admin',
      },
      { kind: 'hidden', submission: null, reason: 'Offensive\nname', checks: [], advice: null },
      { kind: 'of-later', submission: null },
    ];

    expect(textOf(aMe(null, { notices })).split('\n')).toEqual([
      '  submission S is on hold and does not count',
      '    Too [2Jmuch.',
      '    Write to the admin',
      '  the admin has hidden your account: Offensivename',
      '  of-later',
    ]);
  });

  test('shows rank and value, or what is missing, and texts of newer boards unchanged', () => {
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
      { window: 'all_time', rank: null, total: 9, metrics, reasons: MISSING },
    ];

    expect(textOf(aMe(null, { standings })).split('\n')).toEqual([
      '  30d      rank 3 of 9 by yield (403)',
      '  a year   not ranked: 4 more active days (3 of 7)',
      '  all time not ranked: tokens spread over more days (4.9 of 5 effective),',
      '           670,000 more tokens (330,000 of 1,000,000),',
      '           90% of your output from tools that report cache counts (now 12%),',
      '           yield is undefined, 1 of 2 constructor',
      ...PLACES,
    ]);
  });

  test('shows counts of several devices in one line', () => {
    const textWith = (shared: MeAnswer['shared']) => textOf(aMe(null, { shared }));

    expect(textWith({ records: 3, tokens: 9, days: 2 }).split('\n')).toContain(
      '  3 daily counts of 2 days are on more than one device and count once',
    );
    expect(textWith({ records: 1, tokens: 9, days: 1 })).toContain(
      '  1 daily count of 1 day is on more than one device and counts once',
    );
    const estimate = '  Where they match only in part, the total of the day is an estimate.';
    expect(textWith({ records: 3, tokens: 9, in_part: 1, days: 2 }).split('\n')).toContain(
      estimate,
    );
    expect(textWith({ records: 3, tokens: 9, in_part: 0, days: 2 })).not.toContain(estimate.trim());
    const most = { records: 100_000, tokens: 9, days: 10_000 };
    expect(
      textWith(most)
        .split('\n')
        .every((line) => line.length <= 80),
    ).toBe(true);
    for (const none of [null, { records: 0, tokens: 0, days: 0 }])
      expect(textWith(none)).not.toContain('more than one device');
  });

  test.each(['held', 'hidden', 'rejected'])('shows only the notice if it is %s', (kind) => {
    const notices = [{ kind, submission: 'S', reason: null }];

    expect(textOf(aMe(null, { notices }))).not.toContain('no tokens');
    expect(textOf(aMe(null, { notices: [{ kind: 'noted', submission: 'S' }] }))).toContain(
      'no tokens',
    );
  });

  test('says what to do about days that are not stated', () => {
    const reasons = [{ code: 'stated_days_low', required: 0.9, actual: 0.29 }];
    const standings = [{ window: '7d', rank: null, total: 9, metrics: { yield: 1 }, reasons }];

    expect(textOf(aMe(null, { standings }))).toContain(
      'not ranked: 90% of days stated (now 29%): update opbench and run it daily',
    );
  });

  test('uses the singular for one missing item', () => {
    const reasons = [{ code: 'active_days_low', required: 3, actual: 2 }];
    const standings = [{ window: '7d', rank: null, total: 9, metrics: { yield: 1 }, reasons }];

    expect(textOf(aMe(null, { standings }))).toContain('not ranked: 1 more active day (2 of 3)');
  });

  test('shows class, rank range and movement in lines of 80 columns', () => {
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

    const before = { '30d': 4, '90d': null };
    const text = textOf(aMe(null, { class_tier: 'cataract', standings }), before);

    const lines = text.split('\n');
    expect(lines).toEqual([
      '  class    cataract',
      '  30d      rank 3 of 9 by yield (18,437), rank range 1–5,',
      '           down 2 since the day before, up 1 since your last submission',
      '  90d      rank 98,765 of 100,000 by yield (18,437), rank range 98,001–99,999,',
      '           up 12,345 since the day before',
      '  all time rank 1 of 1 by yield (18,437)',
      ...PLACES,
    ]);
    expect(Math.max(...lines.slice(0, -1).map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('starts with the tool used most if the board ranks by tool', () => {
    const at = (window: string, rank: number, total: number) => {
      return { window, rank, total, metrics: { yield: 18_436.9 }, reasons: [] };
    };
    const reasons = [{ code: 'active_days_low', required: 7, actual: 3 }];
    const tools = [
      {
        tool: 'claude\u001b-code',
        has_board: true,
        class_tier: 'river',
        standings: [at('7d', 2, 40), at('30d', 1, 42)],
      },
      {
        tool: 'codex',
        has_board: true,
        class_tier: 'unclassed',
        standings: [
          { ...at('7d', 1, 9), rank: null },
          { ...at('30d', 1, 9), rank: null, reasons },
        ],
      },
      { tool: 'own-tool', has_board: false, class_tier: 'unclassed', standings: [] },
    ];
    const me = aMe(null, { class_tier: 'falls', standings: [at('30d', 57, 58)], tools });
    const before = { '30d': 40, '30d claude\u001b-code': 3 };

    expect(textOf(me, before).split('\n')).toEqual([
      '  claude-code, class river',
      '    7d       rank 2 of 40 by yield (18,437)',
      '    30d      rank 1 of 42 by yield (18,437), up 2 since your last submission',
      '  codex',
      '    30d      not ranked: 4 more active days (3 of 7)',
      '  no ranking yet for own-tool, which no one else uses here',
      '  all tools, class falls',
      '    30d      rank 57 of 58 by yield (18,437), down 17 since your last submission',
      '    tools count input differently, so compare the ranks of one tool',
      ...PLACES,
    ]);
  });

  test('lists a few of many tools', () => {
    const standing = { window: '30d', rank: 1, total: 2, metrics: { yield: 1 }, reasons: [] };
    const tools = Array.from({ length: 50 }, (_, at) => {
      return { tool: `t${at}`, has_board: at % 2 === 0, class_tier: null, standings: [standing] };
    });
    const lines = textOf(aMe(null, { standings: [standing], tools })).split('\n');

    expect(lines).toContain('  and 20 more tools, see: opbench status --json');
    expect(lines).toContain(
      '  no ranking yet for t1, t3, t5, t7 and 21 more, which no one else uses here',
    );
    expect(lines).toHaveLength(17);
  });

  test('shows no class for unclassed operators, and no control characters of a board', () => {
    const standings = [{ window: '7d', rank: 1, total: 1, metrics: { yield: 1 }, reasons: [] }];
    const text = (class_tier: string) => textOf(aMe(null, { class_tier, standings }));

    expect(text('unclassed')).not.toContain('class');
    expect(text('ri\u001b[2Jll')).toContain('class    ri[2Jll');
  });

  test.each(['anonymous', 'private'])('shows no page for %s operators', (privacy_mode) => {
    const standings = [{ window: '7d', rank: 1, total: 1, metrics: { yield: 1 }, reasons: [] }];
    const standing = standingOf(BOARD, aMe(null, { privacy_mode, standings }));

    expect(standing).toMatchObject({ page: null, badge_markdown: null });
    expect(standingText(standing)).not.toContain('badge');
  });

  test('creates no URL from an invalid codename', () => {
    const standing = standingOf(BOARD, aMe(null, { codename: 'ada)](https://elsewhere.test' }));

    expect(standing).toMatchObject({ page: null, badge_markdown: null });
  });
});
