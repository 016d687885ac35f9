/** Examples of data that go in and out as a whole. */
import { exportAccount } from '../account-export.ts';
import { getCorpus } from '../corpus.ts';
import { partOf } from '#core/domain/counting/overlap.ts';
import { exampleOf } from './example.ts';
import {
  BUCKET,
  CHECK,
  DEVICE_ID,
  DEVICE_KEY,
  ENROLLED_AT,
  ENTRY,
  ENVELOPE,
  INSTALLATION,
  RECEIVED_AT,
  RECORD,
  SENT_AS,
  SUBMISSION,
} from './parts.ts';
import { parseUsage } from '../ingest.ts';

const ACCOUNT = '3b9d2c52-6d0c-4d0c-8d7c-0c5a1f2b9e33';
const { log_index } = ENTRY;
const { input, output, cache_write, cache_read } = BUCKET;

export const DATA_EXAMPLES = [
  exampleOf(parseUsage, {
    body: {
      text: `input ${input}\noutput ${output}\ncache write ${cache_write}\ncache read ${cache_read}`,
    },
    bodies: { 'text/plain': `${input} ${output} ${cache_write} ${cache_read}` },
    reply: {
      formats: ['counts'],
      records: [{ ...RECORD, source: { provider: 'unknown', model: 'unknown', tool: 'unknown' } }],
      warnings: [
        {
          code: 'source_unknown',
          detail: `The counts name no day, provider, model and tool: ${BUCKET.day} and "unknown" stand for them.`,
        },
      ],
    },
  }),
  exampleOf(getCorpus, {
    query: { since: '0' },
    reply: {
      ...RECORD,
      context: {
        operator_id: 'ada',
        privacy_mode: 'pseudonymous',
        window: '1d',
        account: ACCOUNT,
        trust: 'signed',
        cursor: `${log_index}.2`,
      },
    },
  }),
  exampleOf(exportAccount, {
    reply: {
      exported_at: RECEIVED_AT,
      account: ACCOUNT,
      created_at: '2026-11-01T09:12:40.000Z',
      profile: {
        codename: 'ada',
        codename_confirmed: true,
        codename_free_at: null,
        public_name: 'ada',
        privacy_mode: 'pseudonymous',
        data_opt_out: false,
        display_name: null,
        bio: null,
        location: null,
        links: [],
        cohort_id: null,
        has_avatar: false,
        avatar_url: null,
      },
      former_codenames: [],
      avatar: null,
      methods: [
        {
          method: 'github',
          label: 'octocat',
          linked_at: '2026-11-01T09:12:40.000Z',
          last_used_at: '2026-11-20T17:03:11.000Z',
        },
      ],
      sessions: [],
      applications: [],
      events: [],
      keeper: [{ action: 'login_link', reason: null, created_at: '2026-11-01T09:12:41.000Z' }],
      messages: [],
      devices: [
        {
          id: DEVICE_ID,
          trust: 'signed',
          label: 'Laptop',
          installation_id: INSTALLATION,
          created_at: ENROLLED_AT,
          replaced_by: null,
          replaced_at: null,
          keys: [
            { ...DEVICE_KEY, enrolled_at: ENROLLED_AT, revoked_at: null, revoked_reason: null },
          ],
        },
      ],
      log: [],
      submissions: [
        {
          log_index,
          id: SUBMISSION,
          submission_id: SENT_AS,
          state: 'accepted',
          received_at: RECEIVED_AT,
          checks: [CHECK],
          envelope: ENVELOPE,
        },
      ],
      buckets: [
        {
          ...BUCKET,
          fingerprint: 'AAFmkgAFQ1M',
          device: DEVICE_ID,
          log_index,
          counts: true,
          counted: partOf(BUCKET, 1, 1),
        },
      ],
    },
  }),
];
