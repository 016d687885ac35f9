/** Options that several actions of `opbench-board challenge` take. */
import type { Store } from '#db/store.ts';
import { UsageError } from '#core/cli/arguments.ts';
import { REPEAT_RULES, type RepeatRule } from '#core/domain/board/challenge-series.ts';
import { DomainError, type Fault, refusalAmong } from '#core/domain/text/errors.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import { activeRuleset } from '#server/process/rulesets.ts';
import type { KeptBoard } from '../store.ts';

/** The options that change what an operator needs to be ranked. */
const ASKED = {
  'min-active-days': 'active_days',
  'min-effective-days': 'effective_days',
  'min-total-tokens': 'total_tokens',
  'min-output-tokens': 'output_tokens',
  'min-coverage': 'coverage',
  'min-stated-days': 'stated_days',
} as const satisfies Record<string, keyof ChallengeEligibility>;

/** The option for each field of a challenge whose name differs. */
const OPTION_OF: Readonly<Record<string, string>> = {
  first_day: 'from',
  last_day: 'to',
  ...Object.fromEntries(
    Object.entries(ASKED).map(([name, asked]) => [`eligibility/${asked}`, name]),
  ),
};
const NO_ID =
  'cannot be turned into an ID of 3 to 60 letters a to z, digits and hyphens. Use a longer title, or set --id';

type Requirements = { [Option in keyof typeof ASKED]?: number | undefined };

export function askedIn(values: Requirements): Partial<ChallengeEligibility> {
  const asked = (Object.keys(ASKED) as (keyof typeof ASKED)[]).flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [[ASKED[option], value]];
  });
  return Object.fromEntries(asked) as Partial<ChallengeEligibility>;
}

export function authorOf(store: Store, { eligibility, now }: KeptBoard) {
  return { ruleset: activeRuleset(store, eligibility), now };
}

export function oneRule(text: string): RepeatRule {
  const rule = REPEAT_RULES.find((each) => each === text);
  if (rule) return rule;
  throw new UsageError(`--repeat takes ${REPEAT_RULES.join(' or ')}`);
}

export function number(text: string, option: string): number {
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new UsageError(`--${option} takes a number of at least 0`);
}

/** Runs `work`. If it rejects a field of the challenge, the error names the option instead. */
export function inOptions<Result>(isIdMade: boolean, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code, message, faults } = refusalAmong(error, 'validation_failed');
    const named = faults.map((fault) => optionFault(fault, isIdMade));
    throw new DomainError(code, message, named);
  }
}

function optionFault({ pointer, code, detail }: Fault, isIdMade: boolean): Fault {
  const place = pointer.slice(2);
  if (place === 'id' && isIdMade) return { pointer: '#/--title', code, detail: NO_ID };
  const words = detail.replaceAll(/first_day|last_day/g, (day) => `--${OPTION_OF[day]}`);
  return { pointer: `#/--${OPTION_OF[place] ?? place}`, code, detail: words };
}
