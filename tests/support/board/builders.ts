/** Builders of what devices send. Each part can be changed. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { keyIdOf, seal } from '#core/domain/signing/dsse.ts';
import type { Sign } from '#core/domain/signing/ed25519.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { partOf } from '#core/domain/counting/overlap.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { OperatorRecord } from '#core/schema/record.ts';
import {
  type Envelope,
  SNAPSHOT_PAYLOAD_TYPE,
  SNAPSHOT_TYPE,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sha256 } from '#server/process/crypto.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The time of all tests, unless they set their clock. */
export const NOW = '2026-03-10T12:00:00.000Z';
export const NOW_MS = Date.parse(NOW);

export const BASE_URL = 'http://127.0.0.1:4321';

/** Other values for some members, of any type, so that tests can pass invalid ones. */
export type Loose<T> = { [Key in keyof T]?: unknown };

/** A bucket of 2026-03-01 with all four token types. Its total is 1 111 100 tokens. */
export function aBucket(over: Partial<Bucket> = {}): Bucket {
  return {
    day: '2026-03-01',
    provider: 'anthropic',
    model: 'claude-opus-5',
    tool: 'claude-code',
    input: 1_100,
    output: 10_000,
    cache_write: 100_000,
    cache_read: 1_000_000,
    ...over,
  };
}

/** The same bucket as reported by the first device in the first log entry. It counts completely. */
export function aCountedBucket(over: Partial<CountedBucket> = {}): CountedBucket {
  const stated = { device_id: 1, log_index: 1, trust: 'signed', counts: 1, ...aBucket(), ...over };
  const counted = partOf(stated, stated.counts, 1);
  return { counted, ...stated } as CountedBucket;
}

/** Equal buckets on consecutive days, the first on `first` (`YYYY-MM-DD`). */
export function bucketsOfDays(days: number, first: string, over: Partial<Bucket> = {}): Bucket[] {
  const start = Date.parse(first);
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10);
    return aBucket({ ...over, day });
  });
}

/** The record of {@linkcode aBucket}, with other members. */
export function aRecord(over: Loose<OperatorRecord> = {}): OperatorRecord {
  return { ...composeRecord(aBucket()), ...over } as OperatorRecord;
}

export function aSubmissionId(): string {
  return randomUUID().replace(/^(.{14})4/, '$17');
}

/** The payload of a snapshot with one record, issued at {@linkcode NOW}. */
export function aPayload(over: Loose<SnapshotPayload> = {}): SnapshotPayload {
  return {
    type: SNAPSHOT_TYPE,
    audience: BASE_URL,
    submission_id: aSubmissionId(),
    issued_at: NOW,
    collector: { name: 'opbench', version: '0.1.0' },
    correction: null,
    records: [aRecord()],
    ...over,
  } as SnapshotPayload;
}

/** An installation with a fresh key. */
export interface TestDevice {
  keyid: string;
  publicKey: Uint8Array;
  /** base64url of `publicKey`. */
  public_key: string;
  installation_id: string;
  sign: Sign;
  /** Signs a value's JSON, or exact bytes. */
  seal(payload: unknown, payloadType?: string): Promise<Envelope>;
}

export function aDevice(installation_id: string = randomUUID()): Promise<TestDevice> {
  // Node's own Ed25519 is twenty times as fast as the agent's.
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x: public_key = '' } = privateKey.export({ format: 'jwk' });
  const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'));
  const key: Pick<TestDevice, 'keyid' | 'sign'> = {
    keyid: keyIdOf(publicKey, sha256),
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
  return Promise.resolve({
    ...key,
    publicKey,
    public_key,
    installation_id,
    seal(payload: unknown, payloadType = SNAPSHOT_PAYLOAD_TYPE) {
      const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
      return seal(payloadType, bytes, key);
    },
  });
}

/** A snapshot's envelope, signed by the device. */
export function anEnvelope(
  device: TestDevice,
  over: Loose<SnapshotPayload> = {},
): Promise<Envelope> {
  return device.seal(aPayload(over));
}
