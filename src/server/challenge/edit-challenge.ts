import { challengeStatus, eligibilityFor } from '#core/domain/board/challenge.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import { audit } from '../process/admin-actions.ts';
import type { AppContext } from '../context.ts';
import type { ChallengeRow } from './challenges.ts';
import { type ChallengeAuthor, type ChallengeRequest, termsOf } from './create-challenge.ts';

/** The fields to change. The ID is part of the address and stays. */
export type ChallengeChanges = Partial<Omit<ChallengeRequest, 'id' | 'repeat'>>;

interface Edit extends ChallengeAuthor {
  changes: ChallengeChanges;
  /** Whether requirements that are not given become those of the rules. Otherwise, they stay. */
  isWhole?: boolean;
}

/** Changes a challenge that has not started. */
export function editChallenge(
  store: AppContext['store'],
  id: string,
  { changes, isWhole = false, ruleset, now, by }: Edit,
): void {
  store.transaction(() => {
    const row = store.challenges.byId(id);
    if (!row) throw new DomainError('not_found', `There is no challenge "${id}"`);
    const status = challengeStatus(row, now.getTime());
    if (status !== 'upcoming') {
      const state = status === 'cancelled' ? 'is canceled' : 'has started';
      throw new DomainError('state_conflict', `The challenge ${id} ${state} and cannot be changed`);
    }
    const { title, description, metric, tool, first_day, last_day } = row;
    const own = isWhole ? {} : ownRequirements(row, ruleset);
    const eligibility = { ...own, ...changes.eligibility };
    const fields = { title, description, metric, tool, first_day, last_day, ...changes };
    const repeat = store.challenges.series(row.series)?.rule ?? null;
    const request = { ...fields, id, eligibility };
    const terms = termsOf(request, { ruleset, nowMs: now.getTime(), repeat });
    store.challenges.edit({ ...terms, ruleset: ruleset.id });
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'challenge_edit', ...about, now, by });
  });
}

/** The requirements that differ from those of the rules. The others follow new days. */
export function ownRequirements(
  { eligibility, ...days }: Pick<ChallengeRow, 'eligibility' | 'first_day' | 'last_day'>,
  ruleset: Ruleset,
): Partial<ChallengeEligibility> {
  const usual = eligibilityFor(ruleset, days);
  const names = Object.keys(eligibility) as (keyof ChallengeEligibility)[];
  const own = names.filter((name) => eligibility[name] !== usual[name]);
  return Object.fromEntries(own.map((name) => [name, eligibility[name]]));
}
