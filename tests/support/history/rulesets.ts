/** The ranking rules between which histories change. */
import { RULESET, RULESET_NUMBERS, type Ruleset, rulesetOf } from '#core/domain/board/ruleset.ts';
import { sha256Hex } from '#server/process/crypto.ts';

/** Requirements that nearly everyone meets. */
const EASY = {
  active_day_tokens: 1,
  active_days: { '7d': 1, '30d': 1, '90d': 2, all_time: 2 },
  effective_days: { '7d': 1, '30d': 1, '90d': 1, all_time: 1 },
  total_tokens: 1,
  output_tokens: 1,
  coverage: 0.1,
};
const COVERED = rulesetOf(1, { ...RULESET_NUMBERS, coverage: 1 }, sha256Hex);
export const RULESETS: readonly Ruleset[] = [
  RULESET,
  rulesetOf(1, EASY, sha256Hex),
  COVERED,
  rulesetOf(2, EASY, sha256Hex),
  rulesetOf(1, { ...EASY, stated_days: 0.9 }, sha256Hex),
  rulesetOf(2, { ...EASY, stated_days: 0.5 }, sha256Hex),
];
