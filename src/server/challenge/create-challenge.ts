import { challengeFaults, challengeIdOf, eligibilityFor } from '#core/domain/board/challenge.ts';
import { type RepeatRule, repeatFaults } from '#core/domain/board/challenge-series.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { IN_WORDS, faultsOf } from '#core/domain/text/faults.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { type ChallengeEligibility, ChallengeTerms } from '#core/schema/challenge.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import type { AppContext } from '../context.ts';

const Said = ChallengeTerms.extend({ eligibility: ChallengeTerms.shape.eligibility.partial() });
const Days = ChallengeTerms.pick({ first_day: true, last_day: true });

export interface ChallengeRequest {
  /** Null to derive it from the title. */
  id: string | null;
  title: string;
  description: string;
  metric: string;
  tool: string | null;
  first_day: string;
  last_day: string;
  /** Requirements that differ from those of the ruleset. */
  eligibility: Partial<ChallengeEligibility>;
  /** When the next one is created, after one has ended; null for never. */
  repeat?: RepeatRule | null;
}

export interface ChallengeAuthor {
  /** The ranking rules that apply now. */
  ruleset: Ruleset;
  now: Date;
  by?: Actor;
}

/** Creates a challenge and returns its ID. */
export function createChallenge(
  store: AppContext['store'],
  request: ChallengeRequest,
  { ruleset, now, by }: ChallengeAuthor,
): string {
  const { repeat = null, ...fields } = request;
  const terms = termsOf(fields, { ruleset, nowMs: now.getTime(), repeat });
  const created_at = now.toISOString();
  return store.transaction(() => {
    const { id: slug, first_day, last_day } = terms;
    const series =
      repeat && store.challenges.addSeries({ slug, rule: repeat, first_day, last_day });
    if (!store.challenges.add({ ...terms, ruleset: ruleset.id, created_at, series })) {
      const detail = `The challenge ${terms.id} already exists. Choose another ID`;
      throw new DomainError('state_conflict', detail);
    }
    const about = { subject: terms.id, operator_id: null, reason: null };
    audit(store, { action: 'challenge_create', ...about, now, by });
    return terms.id;
  });
}

/**
 * The terms of a new or changed challenge.
 *
 * @throws {DomainError} `validation_failed`, with all faults.
 */
export function termsOf(
  { id, ...request }: Omit<ChallengeRequest, 'repeat'>,
  { ruleset, nowMs, repeat }: { ruleset: Ruleset; nowMs: number; repeat: RepeatRule | null },
) {
  // A title without Latin letters gives no ID; the schema then reports the error.
  const name = id ?? challengeIdOf(request.title) ?? '';
  const { first_day, last_day } = request;
  const days = Days.safeParse({ first_day, last_day });
  // Requirements depend on the days, so they are checked even if other fields are invalid.
  const eligibility = days.success && eligibilityFor(ruleset, days.data, request.eligibility);
  const said = Said.safeParse({ ...request, id: name }, IN_WORDS);
  const ofDays = eligibility
    ? [
        ...challengeFaults({ first_day, last_day, eligibility }, nowMs),
        ...(repeat ? repeatFaults({ rule: repeat, first_day, last_day }) : []),
      ]
    : [];
  const faults = [...(said.success ? [] : faultsOf(said.error.issues)), ...ofDays];
  if (faults.length === 0 && said.success && eligibility) return { ...said.data, eligibility };
  throw new DomainError('validation_failed', 'The challenge is invalid', faults);
}
