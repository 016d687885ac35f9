/** Texts about the state of submissions. */
import type { RecordStates, Submission, SubmissionDetail } from '#core/schema/submission.ts';
import { count, millions, momentText, whole } from '../text/format.ts';

type State = keyof RecordStates;

export const STATE_WORDS: Readonly<Record<State, { label: string; meaning: string }>> = {
  counting: {
    label: 'counted',
    meaning: 'The boards use these records, or a part of each.',
  },
  superseded: {
    label: 'replaced',
    meaning:
      'Other counts for the same day, tool and model are used instead: later counts that are at least as large, earlier counts that are larger, a correction, or equal counts or the same responses from another device of the account.',
  },
  held: {
    label: 'on hold',
    meaning: 'These records do not count until the admin decides.',
  },
  rejected: { label: 'rejected', meaning: 'The admin decided that these records do not count.' },
  withdrawn: { label: 'withdrawn', meaning: 'The operator withdrew these records.' },
  erased: { label: 'erased', meaning: 'These records were deleted with the account.' },
};

const STATES = Object.keys(STATE_WORDS) as State[];

/** The states with at least one record, and the number of records. */
export function statesOf(states: RecordStates): { state: State; records: number }[] {
  return STATES.filter((state) => states[state] > 0).map((state) => {
    return { state, records: states[state] };
  });
}

/**
 * The states of a submission's records.
 *
 * @example `12 records: 10 counted, 2 replaced`
 */
export function statesText({ records, states }: Pick<Submission, 'records' | 'states'>): string {
  const found = statesOf(states);
  const [only] = found;
  const all = count(records, 'record');
  if (found.length === 1 && only) return `${all}, ${STATE_WORDS[only.state].label}`;
  const parts = found.map((part) => `${whole(part.records)} ${STATE_WORDS[part.state].label}`);
  return `${all}: ${parts.join(', ')}`;
}

export function trustWords(trust: Submission['trust']): string {
  return trust === 'signed' ? 'signed' : 'unsigned';
}

/** Added if the shared part had to be estimated. */
const ESTIMATE = 'If only a part is the same, the sum for that day is an estimate.';

/**
 * The part that several devices sent and that counts once; null if there is none.
 *
 * @example `2 records were also sent by another device of this operator. Their 1.2 M tokens in common count once.`
 */
export function sharedText({
  records,
  tokens,
  in_part,
}: SubmissionDetail['shared']): string | null {
  if (records === 0) return null;
  const [were, their] = records === 1 ? ['was', 'Its'] : ['were', 'Their'];
  const sent = `${count(records, 'record')} ${were} also sent by another device of this operator.`;
  const common = `${their} ${tokenText(tokens)} in common ${tokens === 1 ? 'counts' : 'count'} once.`;
  return [sent, common, ...(in_part > 0 ? [ESTIMATE] : [])].join(' ');
}

/** `999,999 tokens`, `1.2 M tokens`. */
export function tokenText(tokens: number): string {
  return tokens < 1e6 ? count(tokens, 'token') : `${millions(tokens)} M tokens`;
}

type Span = Pick<Submission, 'days' | 'first_day' | 'last_day'>;

/** @example `1 Mar 2026`, `1 Mar 2026 to 3 Mar 2026` */
export function spanText({ first_day, last_day, days }: Span): string {
  const first = momentText(first_day, 'date');
  return days === 1 ? first : `${first} to ${momentText(last_day, 'date')}`;
}

/** @example `1 Mar 2026`, `3 days from 1 Mar 2026 to 3 Mar 2026` */
export function daysText(span: Span): string {
  return span.days === 1 ? spanText(span) : `${count(span.days, 'day')} from ${spanText(span)}`;
}
