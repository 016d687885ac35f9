import { describe, expect, test } from 'vitest';
import { skippedText } from '#agent/text/scan.ts';

describe('skippedText()', () => {
  test('says how many lines were left out and why, in the same order always', () => {
    expect(skippedText({ id: 1, name: 2, time: 3, count: 4, not_json: 5 })).toEqual([
      'skipped 15 lines: no JSON 5, bad count 4, bad time 3, bad name 2, bad id 1',
    ]);
    expect(skippedText({ too_long: 1 })).toEqual(['skipped 1 line: too long 1']);
  });

  test('says nothing where nothing was left out', () => {
    expect(skippedText({})).toEqual([]);
  });
});
