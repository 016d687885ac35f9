/** The test vectors of the protocol, created by this project's own code from fixed keys, salts and times. */
import { composeRecord } from '#core/domain/metrics/record.ts';
import { metricWarnings, recordMetrics } from '#core/domain/metrics/metrics.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { normalizeCode, proveEnrollment } from '#core/domain/signing/enrollment.ts';
import { BOARD_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import { LOG_HEAD_PAYLOAD_TYPE } from '#core/schema/log.ts';
import type { OperatorRecord } from '#core/schema/record.ts';
import {
  type Envelope,
  RECEIPT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE_2,
  SNAPSHOT_TYPE_2,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { fingerprintVector } from './protocol-fingerprint.ts';
import {
  PROTOCOL,
  type ProtocolKey,
  aKey,
  bytesOf,
  hexOf,
  paeOf,
  sealText,
  sha256Hex,
} from './protocol-parts.ts';
import { invalidVectors } from './protocol-refusals.ts';
import { logVectors } from './protocol-log.ts';

const { baseUrl, now, code, installationId, submissionId, correctionId, statedDaysId } = PROTOCOL;

const PAE_EXAMPLES = [
  ['http://example.com/HelloWorld', 'hello world'],
  [SNAPSHOT_PAYLOAD_TYPE, '{}'],
  ['text/plain', ''],
  ['text/plain', 'ä €'],
] as const;

const CODES = [
  '7ZQ4K-M2XW9-0AB1C',
  '7zq4k m2xw9 0ab1c',
  '7ZQ4KM2XW9OABLC',
  '7ZQ4K-M2XW9-0AB1',
  '7ZQ4K-M2XW9-0AB1U',
];

const COUNTS: readonly Pillars[] = [
  { input: 1_100, output: 10_000, cache_write: 100_000, cache_read: 1_000_000 },
  { input: 1_000, output: 500, cache_write: null, cache_read: null },
  { input: 0, output: 500, cache_write: 10, cache_read: 20 },
  { input: 10, output: 0, cache_write: 0, cache_read: 0 },
  { input: 20, output: 1, cache_write: 1, cache_read: 1 },
  { input: 2_000, output: 1, cache_write: 5, cache_read: 3_990 },
  { input: 19_999, output: 1, cache_write: 1, cache_read: 19_999 },
  { input: 3, output: 2 ** 40, cache_write: 1, cache_read: 2 ** 50 },
];

/** The daily records of the examples. */
export const RECORDS: readonly OperatorRecord[] = [
  { model: 'claude-opus-5', ...COUNTS[0] },
  { model: 'claude-haiku-5', ...COUNTS[1] },
].map((counts) => {
  const names = { day: '2026-03-01', provider: 'anthropic', tool: 'claude-code' };
  return composeRecord({ ...names, ...(counts as Pillars & { model: string }) });
});

/** The payload of a snapshot, with other members. */
export function aStatement(over: object = {}): SnapshotPayload {
  return {
    type: 'opbench-snapshot/1',
    audience: baseUrl,
    submission_id: submissionId,
    issued_at: now,
    collector: { name: 'example-device', version: '1.0.0' },
    correction: null,
    records: [...RECORDS],
    ...over,
  };
}

/** All vectors, as a value whose JSON is published. */
export async function protocolVectors(): Promise<object> {
  const keys = {
    device: aKey('device'),
    board: aKey('board'),
    next_board: aKey('next_board'),
    other_device: aKey('stranger'),
  };
  const snapshot = await signed(SNAPSHOT_PAYLOAD_TYPE, aStatement());
  const correction = { tool: 'claude-code', from: '2026-02-27', to: '2026-03-01' };
  const changed = { submission_id: correctionId, correction, records: [RECORDS[0]] };
  const { records, ...head } = aStatement({ submission_id: statedDaysId });
  const covers = { tools: ['claude-code'], from: '2026-02-27', to: '2026-03-01' };
  const stating = { ...head, type: SNAPSHOT_TYPE_2, covers, records };
  return {
    about:
      'Test vectors of the Opbench device protocol. Every value follows from the keys, salts and instants in this file. The keys are those of RFC 8032, section 7.1: never use them for anything else.',
    base_url: baseUrl,
    now,
    keys: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.published])),
    pae: PAE_EXAMPLES.map(([payload_type, payload]) => {
      return { payload_type, payload, pae_hex: hexOf(paeOf(payload_type, payload)) };
    }),
    codes: CODES.map((typed) => {
      const normalized = normalizeCode(typed);
      return { typed, normalized, code_hash: normalized && sha256Hex(normalized) };
    }),
    enrollment: await enrollmentVector(),
    replacement: await replacementVector(),
    device_token: await tokenVector(),
    metrics: COUNTS.map((telemetry) => {
      return {
        telemetry,
        metrics: recordMetrics(telemetry),
        warnings: metricWarnings(telemetry),
      };
    }),
    fingerprint: fingerprintVector(),
    snapshot,
    correction: await signed(SNAPSHOT_PAYLOAD_TYPE, aStatement(changed)),
    stated_days: await signed(SNAPSHOT_PAYLOAD_TYPE_2, stating),
    ...(await logVectors(snapshot.envelope, (await enrollmentVector()).request.public_key)),
    payload_types: {
      board_key: BOARD_KEY_PAYLOAD_TYPE,
      log_head: LOG_HEAD_PAYLOAD_TYPE,
      receipt: RECEIPT_PAYLOAD_TYPE,
      snapshot: SNAPSHOT_PAYLOAD_TYPE,
      snapshot_2: SNAPSHOT_PAYLOAD_TYPE_2,
    },
    invalid: await invalidVectors(aStatement(), RECORDS),
  };
}

/** A statement with every step to its envelope. */
async function signed(payloadType: string, statement: object) {
  const payload = JSON.stringify(statement);
  const envelope = await sealText(payloadType, payload, aKey('device'));
  return { ...stepsOf(payloadType, payload), envelope };
}

function stepsOf(payloadType: string, payload: string) {
  const pae = paeOf(payloadType, payload);
  return {
    payload_type: payloadType,
    payload,
    payload_bytes: bytesOf(payload).length,
    payload_sha256: sha256Hex(payload),
    pae_base64: Buffer.from(pae).toString('base64'),
    pae_sha256: sha256Hex(pae),
  };
}

function enrollmentVector() {
  return enrollmentOf(aKey('device'), { installation_id: installationId });
}

/** Another installation that replaces the device of the log. */
function replacementVector() {
  const { deviceId: replaces, otherInstallationId: installation_id } = PROTOCOL;
  return enrollmentOf(aKey('stranger'), { installation_id, replaces });
}

async function enrollmentOf(
  { published, ...key }: ProtocolKey,
  device: { installation_id: string; replaces?: string },
) {
  const { public_key } = published;
  const { installation_id, ...replacing } = device;
  const code_hash = sha256Hex(normalizeCode(code) ?? '');
  const claim = { audience: baseUrl, code_hash, public_key, installation_id };
  const proof = await proveEnrollment({ ...claim, issued_at: now, ...replacing }, key);
  const payload = Buffer.from(proof.payload, 'base64').toString('utf8');
  return {
    code,
    code_hash,
    ...stepsOf(proof.payloadType, payload),
    request: { code, public_key, installation_id, label: 'Example', proof, ...replacing },
  };
}

async function tokenVector() {
  const request = { audience: baseUrl, method: 'GET', path: '/api/v1/me' };
  const jti = '0b0f5a52-6c3a-4f4e-9a52-3a1d6f8f5f10';
  const token = await signDeviceToken(request, aKey('device'), Date.parse(now), jti);
  const [header = '', claims = ''] = token.split('.');
  const textOf = (part: string) => Buffer.from(part, 'base64url').toString('utf8');
  return {
    method: request.method,
    path: request.path,
    header: textOf(header),
    claims: textOf(claims),
    signing_input: `${header}.${claims}`,
    token,
  };
}

export type SignedVector = Awaited<ReturnType<typeof signed>> & { envelope: Envelope };
