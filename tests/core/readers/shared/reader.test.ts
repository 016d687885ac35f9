import { describe, expect, test } from 'vitest';
import {
  type Skips,
  addSkip,
  skippedLines,
  sumSkips,
  unparsed,
} from '#core/readers/shared/reader.ts';

describe('skips', () => {
  test('are counted by reason, and empty without skipped lines', () => {
    const skips: Skips = {};
    addSkip(skips, 'time');
    addSkip(skips, 'time');
    addSkip(skips, 'count', 3);
    addSkip(skips, 'id', 0);

    expect(skips).toEqual({ time: 2, count: 3 });
    expect(skippedLines(skips)).toBe(5);
    expect(skippedLines({})).toBe(0);
  });

  test('are added up without modifying the parts', () => {
    const parts: Skips[] = [{ time: 1 }, {}, { time: 2, name: 1 }];

    expect(sumSkips(parts)).toEqual({ time: 3, name: 1 });
    expect(parts).toEqual([{ time: 1 }, {}, { time: 2, name: 1 }]);
  });

  test('distinguish a line that was too long from a damaged one', () => {
    expect(unparsed('')).toBe('too_long');
    expect(unparsed('{')).toBe('not_json');
  });
});
