import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  RULESET,
  RULESET_NUMBERS,
  eligibilityIn,
  rulesetOf,
  withoutStatedDays,
} from '#core/domain/board/ruleset.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { sha256Hex } from '#server/process/crypto.ts';

describe('rulesetOf()', () => {
  test('is ruleset 1 for its own numbers, in any order', () => {
    const numbers = { ...RULESET_NUMBERS, active_days: { ...RULESET_NUMBERS.active_days } };
    const entries = Object.entries(numbers).reverse();

    expect(rulesetOf(1, Object.fromEntries(entries) as typeof numbers, sha256Hex)).toBe(RULESET);
    expect(RULESET.id).toBe('1');
  });

  test('names other rulesets by the hash of their canonical JSON', () => {
    const ruleset = rulesetOf(1, { ...RULESET_NUMBERS, coverage: 0.75 }, sha256Hex);
    const canonical =
      '{"active_day_tokens":10000,"active_days":{"30d":7,"7d":3,"90d":14,"all_time":14},"coverage":0.75,' +
      '"effective_days":{"30d":3,"7d":2,"90d":5,"all_time":5},"output_tokens":50000,"total_tokens":1000000}';

    const digest = createHash('sha256').update(canonical).digest('hex');
    expect(ruleset).toEqual({ ...RULESET, id: `1-${digest.slice(0, 8)}`, coverage: 0.75 });
  });

  test('leaves out a share of 0 stated days, as rulesets that are older than it', () => {
    expect(rulesetOf(1, { ...RULESET_NUMBERS, stated_days: 0 }, sha256Hex)).toBe(RULESET);

    const older = rulesetOf(1, { ...RULESET_NUMBERS, coverage: 0.75 }, sha256Hex);
    const none = rulesetOf(1, { ...RULESET_NUMBERS, coverage: 0.75, stated_days: 0 }, sha256Hex);
    expect(JSON.stringify(none)).toBe(JSON.stringify(older));
    expect(eligibilityIn(none, '7d')).not.toHaveProperty('stated_days');
  });

  test('requires stated days in every window', () => {
    const ruleset = rulesetOf(1, { ...RULESET_NUMBERS, stated_days: 0.9 }, sha256Hex);

    for (const window of WINDOWS) expect(eligibilityIn(ruleset, window).stated_days).toBe(0.9);
    expect(withoutStatedDays(ruleset)).toEqual({ ...RULESET, id: ruleset.id });
  });

  test('gives each change of a number its own ID', () => {
    const { active_days, effective_days } = RULESET_NUMBERS;
    const changed = [
      { active_day_tokens: 1 },
      { active_days: { ...active_days, all_time: 15 } },
      { effective_days: { ...effective_days, '7d': 2.5 } },
      { total_tokens: 999_999 },
      { output_tokens: 1 },
      { coverage: 1 },
      { stated_days: 0.9 },
      { stated_days: 0.91 },
    ];

    const ids = changed.map((over) => rulesetOf(1, { ...RULESET_NUMBERS, ...over }, sha256Hex).id);

    expect(new Set(ids).size).toBe(changed.length);
    for (const id of ids) expect(id).toMatch(/^1-[0-9a-f]{8}$/);
  });
});
