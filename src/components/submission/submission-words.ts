/** What became of submissions, in words. */
import type { RecordStates, Submission, SubmissionDetail } from '#core/schema/submission.ts';
import { count, millions, momentText, whole } from '../text/format.ts';

type State = keyof RecordStates;

export const STATE_WORDS: Readonly<Record<State, { label: string; meaning: string }>> = {
  counting: {
    label: 'counting',
    meaning: 'They are what the boards are computed from, in whole or in part.',
  },
  superseded: {
    label: 'superseded',
    meaning:
      'Other counts of the same day, tool and model stand in their place: later ones that are at least as large, earlier ones that are larger, a correction, or equal ones or the same responses from another device of the account.',
  },
  held: {
    label: 'held',
    meaning: 'They wait for a decision of the keeper and do not count until then.',
  },
  rejected: { label: 'rejected', meaning: 'The keeper decided that they do not count.' },
  withdrawn: { label: 'withdrawn', meaning: 'The operator took them back.' },
  erased: { label: 'erased', meaning: 'They are gone with the account.' },
};

const STATES = Object.keys(STATE_WORDS) as State[];

/** The states that any record is in, with how many are. */
export function statesOf(states: RecordStates): { state: State; records: number }[] {
  return STATES.filter((state) => states[state] > 0).map((state) => {
    return { state, records: states[state] };
  });
}

/**
 * What became of a submission's records.
 *
 * @example `12 records: 10 counting, 2 superseded`
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
  return trust === 'signed' ? 'signed' : 'sent by hand';
}

/** What is said where the part in common had to be estimated. */
const ESTIMATE = 'Where only a part is the same, the sum of that day is an estimate.';

/**
 * What several devices sent, and counts once; null if nothing is.
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
