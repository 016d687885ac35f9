/** Examples of what operators and their devices do, and of the interface itself. */
import { totalOf } from '#core/domain/counting/bucket.ts';
import { deleteAccount } from '../account-delete.ts';
import { listCounts } from '../counts.ts';
import {
  createDeviceCode,
  enrollDevice,
  listDevices,
  listKnownDevices,
  renameDevice,
  revokeDevice,
} from '../devices.ts';
import { exampleOf } from './example.ts';
import {
  AUDIENCE,
  BOARD_KEY,
  BUCKET,
  CHECK,
  CODE,
  DEVICE_ID,
  DEVICE_KEY,
  ENROLLED_AT,
  HEAD,
  INSTALLATION,
  MONTH,
  entryOf,
  PROOF,
  RECEIVED_AT,
  SUBMISSION,
  totalsOf,
} from './parts.ts';
import { getOpenApi } from '../interface.ts';
import { getMe } from '../me.ts';
import { getSession } from '../session.ts';

const FINGERPRINT_KEY = 'mZ0dYkSJ4Hh2rRk8v4S1b3yq7cQn5xT9wLfPzE6uA2s';

const DEVICE = {
  id: DEVICE_ID,
  label: 'Laptop',
  keyid: DEVICE_KEY.keyid,
  enrolled_at: ENROLLED_AT,
  revoked_at: null,
  revoked_reason: null,
  last_submission_at: RECEIVED_AT,
  replaced: [],
};

const { log_index, generated_at, next_refresh_at, window } = HEAD;
const { class_tier, metrics, interval, rank_range, movement } = entryOf(1, 'ada', MONTH);

const STANDING = {
  window,
  metrics,
  interval,
  rank: 1,
  rank_range,
  movement,
  total: 2,
  reasons: [],
};

const { day, tool, provider, model, input, output, cache_write, cache_read } = BUCKET;
const pillars = { input, output, cache_write, cache_read };

const COUNT = {
  device: DEVICE.id,
  label: DEVICE.label,
  ...{ day, tool, provider, model },
  ...pillars,
  fingerprint: null,
  stated_at: RECEIVED_AT,
  submission: SUBMISSION,
  counted: pillars,
  same_as: null,
};

const NOTICE = {
  kind: 'noted' as const,
  submission: SUBMISSION,
  since: CHECK.found_at,
  reason: null,
  checks: [CHECK],
  advice: null,
};

export const ACCOUNT_EXAMPLES = [
  exampleOf(createDeviceCode, {
    reply: { code: CODE, expires_at: '2026-11-02T08:24:11.020Z' },
  }),
  exampleOf(listKnownDevices, {
    body: { code: CODE },
    reply: {
      devices: [
        {
          id: DEVICE.id,
          label: DEVICE.label,
          enrolled_at: ENROLLED_AT,
          revoked_at: null,
          last_submission_at: RECEIVED_AT,
          days: [
            {
              day: BUCKET.day,
              tool: BUCKET.tool,
              total: totalOf(BUCKET),
              stated_at: RECEIVED_AT,
            },
          ],
        },
      ],
    },
  }),
  exampleOf(enrollDevice, {
    body: {
      code: CODE,
      public_key: DEVICE_KEY.public_key,
      installation_id: INSTALLATION,
      label: DEVICE.label,
      proof: PROOF,
    },
    reply: {
      device: { ...DEVICE, last_submission_at: null },
      codename: 'ada',
      board: { name: 'Opbench', base_url: AUDIENCE, ...BOARD_KEY },
      fingerprint_key: FINGERPRINT_KEY,
    },
  }),
  exampleOf(listDevices, { reply: { total: 1, devices: [DEVICE] } }),
  exampleOf(renameDevice, {
    params: { id: DEVICE.id },
    body: { label: 'Workstation' },
    reply: { ...DEVICE, label: 'Workstation' },
  }),
  exampleOf(revokeDevice, {
    params: { id: DEVICE.id },
    reply: { ...DEVICE, revoked_at: '2026-11-20T18:30:00.000Z', revoked_reason: 'logout' },
  }),
  exampleOf(getMe, {
    reply: {
      codename: 'ada',
      display_name: 'Ada Lovelace',
      avatar_url: null,
      privacy_mode: 'pseudonymous',
      device: DEVICE,
      fingerprint_key: FINGERPRINT_KEY,
      log_index,
      generated_at,
      next_refresh_at,
      class_tier,
      records_held: ['yield'],
      standings: [STANDING],
      tools: [
        {
          tool: BUCKET.tool,
          has_board: true,
          tokens: totalsOf(MONTH).total,
          class_tier,
          standings: [STANDING],
        },
      ],
      shared: { records: 0, tokens: 0, in_part: 0, days: 0 },
      device_count: 1,
      notices: [NOTICE],
      withdrawn: [
        {
          id: SUBMISSION,
          received_at: RECEIVED_AT,
          records: 1,
          first_day: BUCKET.day,
          last_day: BUCKET.day,
        },
      ],
    },
  }),
  exampleOf(listCounts, {
    query: { from: BUCKET.day, to: BUCKET.day },
    reply: { total: 1, entries: [COUNT], next_cursor: null },
  }),
  exampleOf(deleteAccount, { body: { confirm: 'ada' }, reply: { log_index: 1312 } }),
  exampleOf(getSession, {
    reply: {
      signedIn: true,
      operator: { codename: 'ada', display_name: 'Ada Lovelace', avatar_url: null },
    },
  }),
  exampleOf(getOpenApi, { reply: { openapi: '3.0.3' } }),
];
