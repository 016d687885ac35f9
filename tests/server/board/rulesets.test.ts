import { expect, test } from 'vitest';
import { RULESET, RULESET_NUMBERS, rulesetOf } from '#core/domain/board/ruleset.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { enterRuleset } from '#server/identity/board-key.ts';
import { readRulesets } from '#server/board/rulesets.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';

test('readRulesets() has every ruleset that was active, also one that returned', () => {
  const ctx = testContext();
  const { store } = ctx;
  const other = rulesetOf({ ...RULESET_NUMBERS, total_tokens: 500_000 }, sha256Hex);
  const enter = (ruleset: typeof RULESET) => {
    ctx.clock.nowMs += 60_000;
    enterRuleset(store, ruleset, ctx.now());
  };

  const [first, ...none] = readRulesets(ctx);
  expect([first?.ruleset, none]).toEqual([RULESET, []]);
  expect(Date.parse(first?.since ?? '')).toBe(ctx.clock.nowMs);

  anOperator(ctx, 'ada');
  enter(RULESET);
  expect(readRulesets(ctx)).toEqual([first]);
  enter(other);
  enter(other);
  expect(readRulesets(ctx)).toHaveLength(2);
  enter(RULESET);

  const all = readRulesets(ctx);
  expect(all.map(({ ruleset }) => ruleset)).toEqual([RULESET, other, RULESET]);
  expect(all.map(({ since }) => since)).toEqual([...all].map(({ since }) => since).sort());
  expect(all.map(({ log_index }) => store.log.at(log_index)?.kind)).toEqual(
    all.map(() => 'ruleset'),
  );
});
