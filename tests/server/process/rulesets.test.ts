import { describe, expect, test } from 'vitest';
import {
  RULESET,
  RULESET_2,
  RULESET_NUMBERS,
  type Ruleset,
  rulesetOf,
} from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { readRulesets, rulesetOn } from '#server/board/rulesets.ts';
import { chooseVersion, openRuleset } from '#server/process/rulesets.ts';
import { COMMAND } from '#server/process/admin-actions.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { anOperator, query, rankBy, testContext } from '#tests/support/board/context.ts';

const OTHER = rulesetOf(1, { ...RULESET_NUMBERS, total_tokens: 500_000 }, sha256Hex);

test('readRulesets() has every ruleset that was active, also one that returned', () => {
  const ctx = testContext();
  const { store } = ctx;
  const enter = (ruleset: Ruleset) => {
    ctx.clock.nowMs += 60_000;
    rankBy(ctx, ruleset);
  };

  const [first, ...none] = readRulesets(ctx);
  expect([first?.ruleset, none]).toEqual([RULESET_2, []]);
  expect(Date.parse(first?.since ?? '')).toBe(ctx.clock.nowMs);

  anOperator(ctx, 'ada');
  enter(RULESET_2);
  expect(readRulesets(ctx)).toEqual([first]);
  enter(OTHER);
  enter(OTHER);
  expect(readRulesets(ctx)).toHaveLength(2);
  enter(RULESET_2);

  const all = readRulesets(ctx);
  expect(all.map(({ ruleset }) => ruleset)).toEqual([RULESET_2, OTHER, RULESET_2]);
  expect(all.map(({ since }) => since)).toEqual([...all].map(({ since }) => since).sort());
  expect(all.map(({ log_index }) => store.log.at(log_index)?.kind)).toEqual(
    all.map(() => 'ruleset'),
  );
});

test('rulesetOn() is the last one of a day', () => {
  const ctx = testContext();
  const today = dayNumber(ctx.now().toISOString().slice(0, 10));
  ctx.clock.nowMs += DAY_MS;
  rankBy(ctx, OTHER);
  rankBy(ctx, RULESET);

  const on = (day: number) => rulesetOn(readRulesets(ctx), day);
  expect([-9, 0, 1, 9].map((days) => on(today + days))).toEqual([
    RULESET_2,
    RULESET_2,
    RULESET,
    RULESET,
  ]);
});

describe('openRuleset()', () => {
  const open = (ctx: ReturnType<typeof testContext>, numbers = RULESET_NUMBERS) =>
    openRuleset(ctx.store, numbers, ctx.now()).id;
  const entries = (ctx: ReturnType<typeof testContext>) =>
    query(ctx, `SELECT 1 FROM log_entries WHERE kind = 'ruleset'`).length;

  test('begins a new board with the newest version, and enters it once', () => {
    const ctx = testContext();
    expect([ctx.ruleset.id, open(ctx), entries(ctx)]).toEqual(['2', '2', 1]);
  });

  test('keeps the version of a board that has one, also with other numbers', () => {
    const ctx = testContext();
    rankBy(ctx, RULESET);
    expect(open(ctx)).toBe('1');
    expect(open(ctx, { ...RULESET_NUMBERS, coverage: 0.5 })).toMatch(/^1-[0-9a-f]{8}$/);
    expect(entries(ctx)).toBe(3);
  });

  test('uses the version that an admin chose, from the next start on', () => {
    const ctx = testContext();
    rankBy(ctx, RULESET);
    const choose = (version: 1 | 2) => {
      ctx.store.transaction(() =>
        chooseVersion(ctx.store, version, { now: ctx.now(), by: COMMAND }),
      );
    };
    choose(2);
    expect([readRulesets(ctx).at(-1)?.ruleset.id, open(ctx)]).toEqual(['1', '2']);
    choose(1);
    expect(open(ctx)).toBe('1');
    expect(ctx.store.auditLog.newest(9).map(({ action, subject }) => [action, subject])).toEqual([
      ['setting', 'ruleset'],
      ['setting', 'ruleset'],
    ]);
  });
});
