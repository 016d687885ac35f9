/** What became of submissions, in words. */
import type { RecordStates, Submission } from '#core/schema/submission.ts';
import { count, whole } from './format.ts';

type State = keyof RecordStates;

/** What is said of records in each state, and what that means. */
export const STATE_WORDS: Readonly<Record<State, { label: string; meaning: string }>> = {
  counting: { label: 'counting', meaning: 'They are what the boards are computed from.' },
  superseded: {
    label: 'superseded',
    meaning:
      'Other counts of the same day, tool and model stand in their place: later ones that are at least as large, earlier ones that are larger, a correction, or equal ones from another device of the account.',
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

/** Whether a device signed it. */
export function trustWords(trust: Submission['trust']): string {
  return trust === 'signed' ? 'signed' : 'sent by hand';
}
