/** Refusals as pages tell them: to people, who see no schema, header and status. */
import { PROBLEMS } from '#core/contract/problems.ts';
import type { DomainError, ErrorCode, Fault } from '#core/domain/text/errors.ts';
import { QuotaError } from '#server/process/rate-limit.ts';

/** A refusal as the form's own page shows it. */
export interface FormRefusal {
  code: ErrorCode;
  status: number;
  title: string;
  detail: string;
  hint: string | null;
  /** The single faults, where the form was checked against a schema. */
  faults: readonly Fault[];
  /** What to say at the one field that it is about; null if that is none or several. */
  atField: string | null;
}

type Words = Pick<FormRefusal, 'detail' | 'hint' | 'title'>;

/** Where what programs are told is of no use to people. */
const FOR_PEOPLE: Partial<Record<ErrorCode, Partial<Words>>> = {
  not_found: {
    title: 'This is not here any more',
    detail: 'It was removed meanwhile',
    hint: 'Load the page anew to see what is there.',
  },
  payload_too_large: { title: 'This is too large', hint: 'A picture may have at most 2 MiB.' },
  unsupported_media_type: {
    title: 'This did not arrive as a form',
    hint: 'Load the page anew and send the form again.',
  },
  validation_failed: { title: 'Nothing was changed', hint: null },
};

/** Refusals of what stands in a field, which is asked for again. */
const OF_FIELDS: readonly ErrorCode[] = [
  'avatar_unacceptable',
  'codename_taken',
  'codename_too_soon',
  'confirmation_mismatch',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

export function refusalOf(error: DomainError): FormRefusal {
  const { code, message, faults } = error;
  const { status } = PROBLEMS[code];
  const isOfOne = OF_FIELDS.includes(code) && placesOf(faults) <= 1;
  const atField = isOfOne ? (faults[0]?.detail ?? message) : null;
  return { code, status, ...wordsOf(error), faults, atField };
}

function wordsOf(error: DomainError): Words {
  const { code, message, faults } = error;
  if (error instanceof QuotaError) {
    const minutes = Math.ceil(error.count.resetSeconds / 60);
    const detail = `Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again`;
    return { title: 'Too many tries', detail, hint: null };
  }
  const { title, hint } = PROBLEMS[code];
  const detail = faults.length > 0 ? correctionsOf(placesOf(faults)) : message;
  return { title, detail, hint, ...FOR_PEOPLE[code] };
}

function correctionsOf(places: number): string {
  return places === 1 ? 'A field needs a correction' : `${places} fields need a correction`;
}

/** A field may be wrong in several ways. */
function placesOf(faults: readonly Fault[]): number {
  return new Set(faults.map(({ pointer }) => pointer)).size;
}
