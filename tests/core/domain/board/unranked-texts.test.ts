import { describe, expect, test } from 'vitest';
import { unrankedReason } from '#core/domain/board/unranked-texts.ts';

describe('unrankedReason()', () => {
  test.each([
    ['active_days_low', 7, 3, '3 of 7 active days'],
    ['effective_days_low', 3, 2.96, '2.9 of 3 effective days'],
    ['total_low', 1_000_000, 999_999, '999,999 of 1,000,000 tokens'],
    ['output_low', 50_000, 0, '0 of 50,000 output tokens'],
    ['effective_days_low', 2.5, 2.49, '2.4 of 2.5 effective days'],
    ['coverage_low', 0.955, 0.9549, '95% of the output reports cache reads, 95.5% needed'],
    [
      'stated_days_low',
      0.555,
      0.29,
      '29% of days stated, 55.5% needed: update opbench and run it daily',
    ],
    [
      'stated_days_low',
      0.9,
      0.8999,
      '89% of days stated, 90% needed: update opbench and run it daily',
    ],
    ['coverage_low', 0.9, 0.899, '89% of the output reports cache reads, 90% needed'],
  ] as const)('%s', (code, required, actual, text) => {
    expect(unrankedReason({ code, required, actual }, 'yield').detail).toBe(text);
  });

  test('says what an undefined metric needs', () => {
    const reason = { code: 'metric_undefined', required: null, actual: null } as const;
    expect(unrankedReason(reason, 'velocity').detail).toBe('velocity needs fresh input');
  });
});
