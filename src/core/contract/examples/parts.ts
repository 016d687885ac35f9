/**
 * What the examples are made of: one invented operator, one day, one snapshot, one log entry.
 * Signatures and hashes are real ones of keys that nobody uses, so that every example can be checked.
 *
 * @module
 */
import { fromHex } from '#core/domain/log/log-entry.ts';
import { toBase64 } from '#core/domain/text/base64.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { type FoundByCheck, checkText } from '#core/domain/checks/check-text.ts';
import { classTierOf } from '#core/domain/metrics/class-tier.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { exactMetrics, significant } from '#core/domain/metrics/metrics.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';
import type { BoardEntry, Totals } from '#core/schema/board.ts';
import { ENROLLMENT_PAYLOAD_TYPE, ENROLLMENT_TYPE } from '#core/schema/device.ts';
import { LOG_HEAD_PAYLOAD_TYPE } from '#core/schema/log.ts';
import type { Check } from '#core/schema/moderation.ts';
import {
  type Envelope,
  RECEIPT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE,
} from '#core/schema/snapshot.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';

/** The board that the examples' statements were signed for. */
export const AUDIENCE = 'https://board.example';

export const DEVICE_KEY = {
  keyid: 'SHA256:_oEsEvOrTOasXbaaw1L5BssbEe9D-zPiUu9_9VImOIk',
  public_key: '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw',
};
export const BOARD_KEY = {
  keyid: 'SHA256:XCm3jxCjWkmmIx0I7oQKBLzDo3pPnUbfMn3sVript8k',
  public_key: 'E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o',
};

/** What the operator did on one day. */
export const BUCKET: Bucket = {
  day: '2026-11-20',
  provider: 'anthropic',
  model: 'claude-opus-5',
  tool: 'claude-code',
  input: 41_707,
  output: 376_537,
  cache_write: 4_273_210,
  cache_read: 85_172_659,
};

/** What the operator did in 30 days. */
export const MONTH: Pillars = {
  input: 1_251_211,
  output: 11_296_121,
  cache_write: 128_196_310,
  cache_read: 2_555_179_769,
};

export const RECORD = composeRecord(BUCKET);

export const DEVICE_ID = 'a4f1e1de-2f0b-4c39-8a57-3a1d6b0c9e42';
export const INSTALLATION = '5f0c2f0a-6c1e-4b57-9a43-0d9f6f1f7b11';
export const SUBMISSION = '01a1f8d8-1000-7b3e-9f55-0e3b7a1c4f10';
export const SENT_AS = '01a1f8d8-0d91-7c2f-8d1b-6a5c3e2d9f47';
export const ISSUED_AT = '2026-11-20T12:04:31.249Z';
export const RECEIVED_AT = '2026-11-20T12:04:31.872Z';
export const ENROLLED_AT = '2026-11-02T08:15:04.310Z';

/** The log entry that the snapshot became. */
export const ENTRY = {
  log_index: 1207,
  previous: '6f1f9b1dd0a3d92ef0fbb6a1b3df54dbe6a0a6a3c67d0d1fd1a5c5a1b2f3e4d5',
  salt: 'c3b1a0f2e4d59687a8b9cadbecfd0e1f2031425364758697a8b9cadbecfd0e1f',
  payload_digest: 'c55c108360475070fded9fe506d1652735cbac08d8a363536a6ce114890b3b85',
  entry_hash: '481b5c8f7b4747b9667b7406a6bbab060509ce52c356325db8d6b842fb4fe626',
};

export const ENVELOPE = envelope(
  SNAPSHOT_PAYLOAD_TYPE,
  composeSnapshot({
    audience: AUDIENCE,
    submission_id: SENT_AS,
    issuedAtMs: Date.parse(ISSUED_AT),
    collector: { name: 'opbench', version: '0.1.0' },
    correction: null,
    buckets: [BUCKET],
  }),
  DEVICE_KEY.keyid,
  '5d2431e3b0247ad7ba62301320df6f43dd43ffcfc32125ecb62becc7b71bbdd394f120d2296e363851fc924cd32ce103520ccfbbd75b059c016fcf03720b2e02',
);

export const CODE = '7K3QX-09VBN-T2MRD';

export const PROOF = envelope(
  ENROLLMENT_PAYLOAD_TYPE,
  bytesOf({
    type: ENROLLMENT_TYPE,
    audience: AUDIENCE,
    code_hash: 'd5a92c93818d5f1f7dd41ba6a2fd68d4ba344ead3077a23ad145bc7bc08ed68b',
    public_key: DEVICE_KEY.public_key,
    installation_id: INSTALLATION,
    issued_at: ENROLLED_AT,
  }),
  DEVICE_KEY.keyid,
  '29e74d42cb95f4dcd13d1db931d3e2f8d1c01370746b7630de32921a74e0d70b608822bc9cede4ab9bc05291c20ca021a9e99a720595486add98156d62b0dd06',
);

const { log_index, entry_hash } = ENTRY;

export const RECEIPT = envelope(
  RECEIPT_PAYLOAD_TYPE,
  bytesOf({ log_index, entry_hash, received_at: RECEIVED_AT, ruleset: '1' }),
  BOARD_KEY.keyid,
  '22e9ecdf9c074a68992ffd9ad08b3e32b041174d99fcfcba6ceebc57d33518fa582df93162f67ebd63e98407ca20dfaefb7ad860a1698039f6455d6f17395902',
);

export const LOG_HEAD = envelope(
  LOG_HEAD_PAYLOAD_TYPE,
  bytesOf({ log_index, entry_hash }),
  BOARD_KEY.keyid,
  '17be338957431fd89ee7a3a4c5fb49135512375cefdd1f14655a136174ff79d796dfc708af2b888c821bdee3dd7fc13e638cf223ea247782e8523a708f0e7c05',
);

const FOUND = {
  check: 'day_outlier',
  verdict: 'note',
  statistic: 3.21,
  threshold: 3,
  n: 34,
  tool: null,
  days: [BUCKET.day],
} as const satisfies FoundByCheck;

/** What a check found about the snapshot. */
export const CHECK: Check = {
  ...FOUND,
  days: [...FOUND.days],
  found_at: '2026-11-20T12:05:00.000Z',
  text: checkText(FOUND),
};

/** The head of a board answer. */
export const HEAD = {
  ruleset: '1',
  window: '30d',
  as_of: '2026-11-20',
  log_index,
  generated_at: '2026-11-20T12:05:00.000Z',
  next_refresh_at: '2026-11-20T12:10:00.000Z',
} as const;

/** What a board answer says of its filters. */
export const FILTERS = {
  tool: null,
  trust: 'signed',
  tools: ['claude-code', 'codex'],
} as const;

/** The sums of some counts. */
export function totalsOf(counts: Pillars): Totals {
  return { ...counts, total: totalOf(counts) };
}

/** An interval of a tenth to both sides. */
export function intervalAround(value: number | null): Interval | null {
  return value === null ? null : [significant(value / 1.1), significant(value * 1.1)];
}

/** A place on the board by yield. */
export function entryOf(rank: number, codename: string, counts: Pillars): BoardEntry {
  const metrics = exactMetrics(counts);
  const interval = intervalAround(metrics.yield);
  return {
    rank,
    rank_range: [rank, rank],
    movement: { day: 0, week: null },
    codename,
    display_name: null,
    class_tier: classTierOf(interval?.[0] ?? null),
    trust: 'signed',
    metrics,
    totals: totalsOf(counts),
    tools: [BUCKET.tool],
    last_active: BUCKET.day,
    interval,
    coverage: 1,
    active_days: 21,
  };
}

function bytesOf(statement: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(statement));
}

/** @param signature 64 bytes, hex. */
function envelope(
  payloadType: string,
  payload: Uint8Array,
  keyid: string,
  signature: string,
): Envelope {
  const sig = toBase64(fromHex(signature));
  return { payloadType, payload: toBase64(payload), signatures: [{ keyid, sig }] };
}
