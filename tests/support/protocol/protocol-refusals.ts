/** Vectors that a board rejects, each with the code of the error. */
import { type ErrorCode } from '#core/domain/text/errors.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { type OperatorRecord } from '#core/schema/record.ts';
import {
  SNAPSHOT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE_2,
  SNAPSHOT_TYPE_2,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import { aKey, sealText } from './protocol-parts.ts';

/** A body for `POST /api/v1/snapshots` that is rejected. */
export interface InvalidVector {
  name: string;
  code: ErrorCode;
  status: number;
  body: string;
}

type Case = readonly [name: string, code: ErrorCode, body: Promise<string> | string];

/**
 * Rejected bodies, in the order in which a board checks.
 *
 * @param valid The payload from which each differs in one place.
 */
export async function invalidVectors(
  valid: SnapshotPayload,
  records: readonly OperatorRecord[],
): Promise<InvalidVector[]> {
  const all = [...envelopeCases(valid), ...payloadCases(valid), ...recordCases(valid, records)];
  return Promise.all(
    all.map(async ([name, code, body]) => {
      return { name, code, status: PROBLEMS[code].status, body: await body };
    }),
  );
}

/** The envelope of a payload's text, as JSON. */
async function bodyOf(payload: string, type = SNAPSHOT_PAYLOAD_TYPE): Promise<string> {
  return JSON.stringify(await sealText(type, payload, aKey('device')));
}

function envelopeCases(valid: SnapshotPayload): Case[] {
  const text = JSON.stringify(valid);
  const changed = async (change: (body: string) => string) => change(await bodyOf(text));
  const stranger = sealText(SNAPSHOT_PAYLOAD_TYPE, text, aKey('stranger'));
  return [
    ['The body is not JSON', 'malformed_json', '{"payloadType":'],
    [
      'The envelope repeats a key',
      'json_key_duplicate',
      changed((body) => body.replace('{', '{"payloadType":"text/plain",')),
    ],
    [
      'The payload type is that of a receipt',
      'envelope_invalid',
      bodyOf(text, 'application/vnd.opbench.receipt.v1+json'),
    ],
    [
      'The envelope has two signatures',
      'envelope_invalid',
      changed((body) => body.replace(/("signatures":\[)(.*)\]\}$/, '$1$2,$2]}')),
    ],
    [
      'The payload is base64url without padding',
      'envelope_invalid',
      changed((body) =>
        body.replace(/"payload":"([^"]*)"/, (_, payload: string) => {
          return `"payload":"${Buffer.from(payload, 'base64').toString('base64url')}"`;
        }),
      ),
    ],
    [
      'No device is enrolled with the key',
      'key_unknown',
      stranger.then((envelope) => JSON.stringify(envelope)),
    ],
    [
      'The signature covers the payload without the pre-authentication encoding',
      'signature_invalid',
      withSignature(text, new TextEncoder().encode(text)),
    ],
  ];
}

/** An envelope whose signature covers other bytes. */
async function withSignature(payload: string, message: Uint8Array): Promise<string> {
  const key = aKey('device');
  const sig = Buffer.from(await key.sign(message)).toString('base64');
  const envelope = await sealText(SNAPSHOT_PAYLOAD_TYPE, payload, key);
  return JSON.stringify({ ...envelope, signatures: [{ keyid: key.keyid, sig }] });
}

function payloadCases(valid: SnapshotPayload): Case[] {
  const body = (over: object) => bodyOf(JSON.stringify({ ...valid, ...over }));
  const twice = JSON.stringify(valid).replace('{', '{"type":"opbench-snapshot/1",');
  const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-02-27' };
  const stating = (from: string, to: string) => {
    const covers = { tools: ['claude-code'], from, to };
    const payload = { ...valid, type: SNAPSHOT_TYPE_2, covers };
    return bodyOf(JSON.stringify(payload), SNAPSHOT_PAYLOAD_TYPE_2);
  };
  return [
    ['The signed payload repeats a key', 'json_key_duplicate', bodyOf(twice)],
    ['The payload has an unknown member', 'validation_failed', body({ note: 'hello' })],
    ['The payload has no records', 'validation_failed', body({ records: [] })],
    [
      'The audience ends with a slash',
      'audience_mismatch',
      body({ audience: `${valid.audience}/` }),
    ],
    [
      'The payload was issued 11 minutes ago',
      'snapshot_stale',
      body({ issued_at: '2026-03-02T08:54:00.000Z' }),
    ],
    ['The correction ends before it begins', 'correction_invalid', body({ correction })],
    [
      'The stated days end before they begin',
      'validation_failed',
      stating('2026-03-01', '2026-02-27'),
    ],
    [
      'The stated days include the day of signing',
      'validation_failed',
      stating('2026-03-01', '2026-03-02'),
    ],
    [
      'The payload has the type of the other version',
      'validation_failed',
      bodyOf(JSON.stringify(valid), SNAPSHOT_PAYLOAD_TYPE_2),
    ],
  ];
}

function recordCases(valid: SnapshotPayload, [first]: readonly OperatorRecord[]): Case[] {
  const record = first as OperatorRecord;
  const body = (...records: object[]) => bodyOf(JSON.stringify({ ...valid, records }));
  const { source, telemetry, metrics } = record;
  const largest = { ...telemetry, output: Number.MAX_SAFE_INTEGER };
  return [
    [
      'A model name ends with a space',
      'validation_failed',
      body({ ...record, source: { ...source, model: `${source.model} ` } }),
    ],
    [
      'The values of a fingerprint are not ascending',
      'validation_failed',
      body({ ...record, context: { window: '1d', fingerprint: 'AAAAAgAAAAE' } }),
    ],
    [
      'A record is stamped at noon',
      'window_unsupported',
      body({ ...record, timestamp: '2026-03-01T12:00:00Z' }),
    ],
    [
      'A record is for tomorrow',
      'day_out_of_range',
      body({ ...record, timestamp: '2026-03-03T00:00:00Z' }),
    ],
    [
      'Two records are for the same day, provider, model and tool',
      'bucket_duplicate',
      body(record, record),
    ],
    [
      'The counts exceed 2^53-1 in total',
      'count_out_of_range',
      body({ ...record, telemetry: largest }),
    ],
    [
      'A metric is two units of its last decimal off',
      'metrics_mismatch',
      body({ ...record, metrics: { ...metrics, leverage: (metrics.leverage ?? 0) + 0.2 } }),
    ],
    [
      'A metric is null although it is defined',
      'metrics_mismatch',
      body({ ...record, metrics: { ...metrics, yield: null } }),
    ],
  ];
}
