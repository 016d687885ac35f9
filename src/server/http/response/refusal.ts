/** Words errors for people, who do not see schemas, headers or statuses. */
import { PROBLEMS } from '#core/contract/problems.ts';
import type { DomainError, ErrorCode, Fault } from '#core/domain/text/errors.ts';
import { QuotaError } from '#server/process/rate-limit.ts';

/** An error as the form's own page shows it. */
export interface FormRefusal {
  code: ErrorCode;
  status: number;
  title: string;
  detail: string;
  hint: string | null;
  /** The individual faults, if the form was checked against a schema. */
  faults: readonly Fault[];
  /** What to show at the field that it concerns; null if it concerns none or several. */
  atField: string | null;
}

type Words = Pick<FormRefusal, 'detail' | 'hint' | 'title'>;

/** Replacements for texts that only help programs. */
const FOR_PEOPLE: Partial<Record<ErrorCode, Partial<Words>>> = {
  not_found: {
    title: 'This no longer exists',
    detail: 'It was removed in the meantime',
    hint: 'Reload the page to see what is current.',
  },
  payload_too_large: { title: 'The file is too large', hint: 'Pictures can be at most 2 MiB.' },
  unsupported_media_type: {
    title: 'The form could not be read',
    hint: 'Reload the page and submit the form again.',
  },
  validation_failed: { title: 'Nothing was changed', hint: null },
};

/** Errors about the value of a field, which the page asks for again. */
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
    const detail = `Wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`} and try again`;
    return { title: 'Too many attempts', detail, hint: null };
  }
  const { title, hint } = PROBLEMS[code];
  const detail = faults.length > 0 ? correctionsOf(placesOf(faults)) : message;
  return { title, detail, hint, ...FOR_PEOPLE[code] };
}

function correctionsOf(places: number): string {
  return places === 1 ? 'Correct 1 field' : `Correct ${places} fields`;
}

/** A field may have several faults. */
function placesOf(faults: readonly Fault[]): number {
  return new Set(faults.map(({ pointer }) => pointer)).size;
}
