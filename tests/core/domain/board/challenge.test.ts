import { describe, expect, test } from 'vitest';
import {
  challengeIdOf,
  challengeStatus,
  challengeFaults,
  closesAtMs,
  eligibilityFor,
} from '#core/domain/board/challenge.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import type { ChallengeTerms } from '#core/schema/challenge.ts';

const NOW_MS = Date.parse('2026-03-10T12:00:00.000Z');
const DAYS = { first_day: '2026-03-12', last_day: '2026-03-20' };

function termsOf(over: Partial<ChallengeTerms> = {}): ChallengeTerms {
  const days = { ...DAYS, ...over };
  return {
    id: 'march',
    title: 'March',
    description: 'A test.',
    metric: 'yield',
    tool: null,
    eligibility: eligibilityFor(RULESET, days),
    ...days,
  };
}

describe('challengeStatus()', () => {
  const statusAt = (at: string) => {
    return challengeStatus({ ...DAYS, cancelled_at: null }, Date.parse(at));
  };

  test.each([
    ['2026-03-11T23:59:59.999Z', 'upcoming'],
    ['2026-03-12T00:00:00.000Z', 'active'],
    ['2026-03-20T23:59:59.999Z', 'active'],
    ['2026-03-21T00:00:00.000Z', 'scoring'],
    ['2026-03-22T23:59:59.999Z', 'scoring'],
    ['2026-03-23T00:00:00.000Z', 'complete'],
  ])('at %s it is %s', (at, status) => {
    expect(statusAt(at)).toBe(status);
  });

  test('stays canceled', () => {
    const cancelled = { ...DAYS, cancelled_at: '2026-03-11T00:00:00.000Z' };
    expect(challengeStatus(cancelled, closesAtMs(DAYS))).toBe('cancelled');
  });
});

describe('eligibilityFor()', () => {
  test.each([
    ['2026-03-13', 2, 1],
    ['2026-03-14', 3, 2],
    ['2026-03-18', 3, 2],
    ['2026-03-19', 7, 3],
    ['2026-04-10', 7, 3],
    ['2026-04-11', 14, 5],
  ])('up to %s requires %i active and %i effective days', (last_day, active, effective) => {
    const asked = eligibilityFor(RULESET, { ...DAYS, last_day });
    expect(asked).toMatchObject({ active_days: active, effective_days: effective });
  });

  test("uses the admin's requirements instead", () => {
    const asked = eligibilityFor(RULESET, DAYS, { active_days: 5, coverage: 0 });
    expect(asked).toEqual({
      active_day_tokens: 10_000,
      active_days: 5,
      effective_days: 3,
      total_tokens: 1_000_000,
      output_tokens: 50_000,
      coverage: 0,
    });
  });

  test('requires the share of stated days of the rules, another one, or none', () => {
    const ruleset = { ...RULESET, stated_days: 0.9 };

    expect(eligibilityFor(ruleset, DAYS).stated_days).toBe(0.9);
    expect(eligibilityFor(ruleset, DAYS, { stated_days: 0 }).stated_days).toBe(0);
    expect(eligibilityFor(RULESET, DAYS, { stated_days: 0.8 }).stated_days).toBe(0.8);
    expect(eligibilityFor(RULESET, DAYS)).not.toHaveProperty('stated_days');
  });
});

describe('challengeFaults()', () => {
  test.each([
    ['2026-03-09', '2026-03-20', ['must not be before today, 2026-03-10']],
    ['2026-03-12', '2026-03-11', ['must not be before first_day']],
    ['2026-03-12', '2026-03-12', ['must be at least 1 day after first_day']],
    ['2026-03-12', '2027-03-13', ['must make a challenge of at most 366 days, not 367']],
    [
      '2026-03-09',
      '2026-03-08',
      ['must not be before today, 2026-03-10', 'must not be before first_day'],
    ],
  ])('rejects %s to %s: %j', (first_day, last_day, details) => {
    const faults = challengeFaults(termsOf({ first_day, last_day }), NOW_MS);
    expect(faults.map(({ detail }) => detail)).toEqual(details);
  });

  test('rejects requirements that no operator can meet within the days', () => {
    const asked = termsOf();
    asked.eligibility.active_days = 10;
    asked.eligibility.effective_days = 10;
    expect(challengeFaults(asked, NOW_MS).map(({ pointer }) => pointer)).toEqual([
      '#/eligibility/active_days',
      '#/eligibility/effective_days',
    ]);
  });

  test('accepts days from today, up to a year', () => {
    expect(challengeFaults(termsOf({ first_day: '2026-03-10' }), NOW_MS)).toEqual([]);
    expect(challengeFaults(termsOf({ last_day: '2027-03-12' }), NOW_MS)).toEqual([]);
  });
});

test.each([
  ['November by leverage!', 'november-by-leverage'],
  ['Été – œuvre nº 1', 'ete-uvre-no-1'],
  ['日本', null],
  ['ab', null],
  ['x'.repeat(80), 'x'.repeat(60)],
])('challengeIdOf(%s) is %s', (title, id) => {
  expect(challengeIdOf(title)).toBe(id);
});
