/** The form with which admins create and change challenges. */
import { REPEAT_RULES } from '#core/domain/board/challenge-series.ts';
import { DomainError, type Fault } from '#core/domain/text/errors.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import type { ChallengeRequest } from '../challenge/create-challenge.ts';
import { ownRequirements } from '../challenge/edit-challenge.ts';
import { repeatOf } from '../challenge/repeat-challenges.ts';
import { field } from '../http/request/forms.ts';

/** The requirements that the form asks for. */
export const ASKED = [
  'active_days',
  'effective_days',
  'total_tokens',
  'output_tokens',
  'coverage',
  'stated_days',
] as const satisfies readonly (keyof ChallengeEligibility)[];

const NAMES = [
  'title',
  'description',
  'metric',
  'tool',
  'first_day',
  'last_day',
  'id',
  'repeat',
  ...ASKED,
] as const;

/** The form's fields as texts. Empty requirements are those of the ranking rules. */
export type ChallengeFields = Record<(typeof NAMES)[number], string>;

export const EMPTY_CHALLENGE = Object.fromEntries(
  NAMES.map((name) => [name, name === 'metric' ? 'yield' : '']),
) as ChallengeFields;

export function readChallengeForm(form: FormData): ChallengeFields {
  return Object.fromEntries(
    NAMES.map((name) => [name, field(form, name).trim()]),
  ) as ChallengeFields;
}

/** A challenge in the form. A copy has neither an ID nor days. */
export function challengeFields(
  { store, ruleset }: Pick<AppContext, 'ruleset' | 'store'>,
  id: string,
  isCopy: boolean,
): ChallengeFields | null {
  const row = store.challenges.byId(id);
  if (!row) return null;
  const { title, description, metric, tool, first_day, last_day } = row;
  const own = ownRequirements(row, ruleset);
  const asked = ASKED.map((name) => [name, own[name] === undefined ? '' : String(own[name])]);
  return {
    ...EMPTY_CHALLENGE,
    ...(Object.fromEntries(asked) as Partial<ChallengeFields>),
    title,
    description,
    metric,
    tool: tool ?? '',
    ...(!isCopy && { id, first_day, last_day, repeat: repeatOf(store, row) ?? '' }),
  };
}

/**
 * What the form requests.
 *
 * @throws {DomainError} `validation_failed` for a requirement that is not a number.
 */
export function challengeRequest(fields: ChallengeFields): ChallengeRequest {
  const { title, description, metric, first_day, last_day } = fields;
  const faults = ASKED.filter((name) => !/^(?:\d{1,15}(?:\.\d{1,6})?)?$/.test(fields[name])).map(
    (name): Fault => ({
      pointer: `#/eligibility/${name}`,
      code: 'custom',
      detail: 'must be a number of at least 0',
    }),
  );
  if (faults.length > 0) {
    throw new DomainError('validation_failed', 'The challenge is invalid', faults);
  }
  const asked = ASKED.filter((name) => fields[name] !== '');
  return {
    id: fields.id === '' ? null : fields.id,
    title,
    description: description.replaceAll('\r\n', '\n'),
    metric,
    tool: fields.tool === '' ? null : fields.tool,
    first_day,
    last_day,
    eligibility: Object.fromEntries(asked.map((name) => [name, Number(fields[name])])),
    repeat: REPEAT_RULES.find((rule) => rule === fields.repeat) ?? null,
  };
}

/** Names the fields as the form does, in the texts of faults. */
export function formFaults(faults: readonly Fault[]): ReadonlyMap<string, string> {
  const named = faults.map(({ pointer, detail }) => {
    const name = pointer.replace('#/', '').replace('eligibility/', '');
    const words = detail
      .replaceAll('first_day', 'the first day')
      .replaceAll('last_day', 'the last day');
    return [name, words] as const;
  });
  return new Map(named.reverse());
}
