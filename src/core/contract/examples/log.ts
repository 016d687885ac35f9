/** Examples of the log and of what goes into it. */
import { exampleOf } from './example.ts';
import {
  BOARD_KEY,
  BUCKET,
  DEVICE_KEY,
  ENTRY,
  ENVELOPE,
  LOG_HEAD,
  RECEIPT,
  RECEIVED_AT,
  RECORD,
  SENT_AS,
  SUBMISSION,
} from './parts.ts';
import { getBoardKeys } from '../keys.ts';
import { getLog } from '../log.ts';
import { submitSnapshot } from '../snapshots.ts';
import {
  getSubmission,
  getSubmissionEnvelope,
  listSubmissions,
  restoreSubmission,
  withdrawSubmission,
} from '../submissions.ts';

const { log_index, entry_hash, previous, salt, payload_digest } = ENTRY;
const STATES = { counting: 1, superseded: 0, held: 0, rejected: 0, withdrawn: 0, erased: 0 };

const LISTED = {
  log_index,
  id: SUBMISSION,
  codename: 'ada',
  trust: 'signed' as const,
  received_at: RECEIVED_AT,
  records: 1,
  days: 1,
  first_day: BUCKET.day,
  last_day: BUCKET.day,
  tools: [BUCKET.tool],
  states: STATES,
  entry_hash,
};

const DETAIL = {
  ...LISTED,
  keyid: DEVICE_KEY.keyid,
  submission_id: SENT_AS,
  collector: { name: 'opbench', version: '0.1.0' },
  shared: { records: 0, tokens: 0, in_part: 0 },
};

const params = { id: SUBMISSION };

export const LOG_EXAMPLES = [
  exampleOf(listSubmissions, {
    query: { codename: 'ada', limit: '1' },
    reply: { total: 1, entries: [LISTED], next_cursor: null },
  }),
  exampleOf(getSubmission, { params, reply: DETAIL }),
  exampleOf(getSubmissionEnvelope, { params, reply: ENVELOPE }),
  exampleOf(withdrawSubmission, {
    params,
    reply: { ...DETAIL, states: { ...STATES, counting: 0, withdrawn: 1 } },
  }),
  exampleOf(restoreSubmission, { params, reply: DETAIL }),
  exampleOf(getLog, {
    query: { since: String(log_index - 1), limit: '1' },
    reply: {
      head: { log_index, entry_hash, signature: LOG_HEAD },
      total: 1,
      entries: [
        {
          log_index,
          kind: 'snapshot',
          previous,
          received_at: RECEIVED_AT,
          payload_digest,
          entry_hash,
          salt,
          payload: null,
          submission: SUBMISSION,
        },
      ],
      next_cursor: null,
    },
  }),
  exampleOf(getBoardKeys, {
    reply: { keys: [{ ...BOARD_KEY, log_index: 1, valid_from: '2026-10-31T09:00:00.000Z' }] },
  }),
  exampleOf(submitSnapshot, {
    body: ENVELOPE,
    bodies: { 'application/json': RECORD },
    reply: {
      id: SUBMISSION,
      submission_id: SENT_AS,
      log_index,
      entry_hash,
      received_at: RECEIVED_AT,
      ruleset: '1',
      records: 1,
      receipt: RECEIPT,
      proof: { previous, salt },
    },
  }),
];
