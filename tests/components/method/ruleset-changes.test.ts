import { describe, expect, test } from 'vitest';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { changesBetween } from '#components/method/ruleset-changes.ts';

describe('changesBetween()', () => {
  test('names each number that differs, and nothing else', () => {
    const after = {
      ...RULESET,
      id: '1-0123abcd',
      active_days: { ...RULESET.active_days, '7d': 4 },
      output_tokens: 75_000,
      coverage: 0.925,
    };

    expect(changesBetween(RULESET, after)).toEqual([
      'Active days, last 7 days: 3, then 4',
      'Output tokens: 50,000, then 75,000',
      expect.stringMatching(/^Coverage: 90 ?%, then 92.5 ?%$/),
    ]);
  });

  test('shows that early versions had no interval', () => {
    const old = { ...RULESET, interval: undefined };

    expect(changesBetween(old, RULESET)).toEqual(['Interval: none, then leaves out days']);
  });
});
