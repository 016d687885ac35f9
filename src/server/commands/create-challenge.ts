import { challengeIdOf, checkChallenge, eligibilityFor } from '#core/domain/challenge.ts';
import { DomainError } from '#core/domain/errors.ts';
import { parseAs } from '#core/domain/faults.ts';
import type { Ruleset } from '#core/domain/ruleset.ts';
import { type ChallengeEligibility, ChallengeTerms } from '#core/schema/challenge.ts';
import { audit } from '../audit.ts';
import type { AppContext } from '../context.ts';

const WHAT = 'The challenge';

/** What a keeper says of a new challenge. */
export interface ChallengeRequest {
  /** Null to make it from the title. */
  id: string | null;
  title: string;
  description: string;
  metric: string;
  tool: string | null;
  first_day: string;
  last_day: string;
  /** What is asked for otherwise than the ruleset asks for. */
  eligibility: Partial<ChallengeEligibility>;
}

/**
 * Makes a challenge and returns its id.
 *
 * @throws {DomainError} `validation_failed` if something does not serve, `state_conflict` if the id is taken.
 */
export function createChallenge(
  store: AppContext['store'],
  request: ChallengeRequest,
  { ruleset, now }: { ruleset: Ruleset; now: Date },
): string {
  const terms = termsOf(request, ruleset);
  checkChallenge(terms, now.getTime());
  const created_at = now.toISOString();
  return store.transaction(() => {
    if (!store.challenges.add({ ...terms, ruleset: ruleset.id, created_at })) {
      const detail = `There is a challenge ${terms.id} already: give another id`;
      throw new DomainError('state_conflict', detail);
    }
    const about = { subject: terms.id, operator_id: null, reason: null };
    audit(store, { action: 'challenge_create', ...about, now });
    return terms.id;
  });
}

function termsOf({ id, ...request }: ChallengeRequest, ruleset: Ruleset): ChallengeTerms {
  const name = id ?? challengeIdOf(request.title);
  if (name === null) {
    const detail = 'The title gives no id of 3 to 60 letters and digits: give one';
    throw new DomainError('validation_failed', detail, [
      { pointer: '#/id', code: 'custom', detail },
    ]);
  }
  const { eligibility: wanted, ...rest } = request;
  const said = parseAs(ChallengeTerms.omit({ eligibility: true }), { id: name, ...rest }, WHAT);
  const eligibility = eligibilityFor(ruleset, said, wanted);
  return parseAs(ChallengeTerms, { ...said, eligibility }, WHAT);
}
