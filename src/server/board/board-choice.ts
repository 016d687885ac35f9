/** Which operators a board is of, where not all of them are asked for. */
import { DomainError } from '#core/domain/text/errors.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import type { Choice } from '../publication/read/published-operators.ts';

/** The parameters that choose operators, before it is known whether there is such a cohort. */
interface ChoiceQuery {
  class?: ClassTier | null | undefined;
  cohort?: string | null | undefined;
}

/**
 * The operators that are asked for.
 *
 * @throws {DomainError} `query_invalid` for a cohort that the keeper did not declare.
 */
export function choiceOf(
  { config }: AppContext,
  { class: class_tier = null, cohort = null }: ChoiceQuery,
): Choice {
  const ids = config.signIn.cohorts.map(({ id }) => id);
  if (cohort === null || ids.includes(cohort)) return { class_tier, cohort };
  const allowed =
    ids.length > 0 ? `must be one of: ${ids.join(', ')}` : 'the keeper declared no cohort';
  throw refused('cohort', 'cohort_unknown', allowed);
}

/** What an answer says of them. */
export function choiceFilters({ config }: AppContext, { class_tier, cohort }: Choice) {
  return { class: class_tier, cohort, cohorts: [...config.signIn.cohorts] };
}

/**
 * Lets nobody ask an earlier board for a choice: neither classes nor cohorts were kept.
 *
 * @throws {DomainError} `query_invalid`
 */
export function refuseChoice(query: ChoiceQuery): void {
  const name = query.class == null ? 'cohort' : 'class';
  if (query[name] == null) return;
  const detail = 'must be left out on a board of an earlier day, which was kept without it';
  throw refused(name, 'not_kept', detail);
}

function refused(name: keyof ChoiceQuery, code: string, detail: string): DomainError {
  const fault = { pointer: `#/${name}`, code, detail };
  return new DomainError('query_invalid', `${name}: ${detail}`, [fault]);
}
