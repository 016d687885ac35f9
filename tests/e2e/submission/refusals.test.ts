import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '#core/contract/problem.ts';
import { ENVELOPE_MEDIA_TYPE, type SnapshotPayload } from '#core/schema/snapshot.ts';
import { type Loose, type TestDevice, aBucket, aDevice } from '#tests/support/board/builders.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';
import { aLivePayload, aProblem, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

// Rejected large bodies have a limit, which follows the limit of public reads.
const aServer = sharedServer(() => ({
  env: { TRUST_PROXY: 'loopback', RATE_LIMIT_PUBLIC: '60' },
}));
let server: RunningServer;
let device: TestDevice;

beforeAll(async () => {
  server = await aServer();
  device = await enrollOverHttp(server, await server.signIn('ada'));
});

function payload(over: Loose<SnapshotPayload> = {}): SnapshotPayload {
  return aLivePayload(server, [aBucket()], over);
}

/** The number of rows in the tables that a submission writes to. */
function stored(): unknown {
  const db = new Database(`${server.dataDir}/opbench.sqlite`, { readonly: true });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const counts = ['packed_entries', 'packed_submissions', 'buckets'].map(count);
  db.close();
  return counts;
}

/** Posts, and expects this error and no stored rows. */
async function refuse(
  body: Parameters<typeof postSnapshot>[1],
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const before = stored();
  const reply = await postSnapshot<Problem>(server, body, headers);
  expect(reply).toMatchObject(aProblem(status, code));
  expect(reply.body.detail.length).toBeGreaterThan(10);
  expect(reply.body.hint?.length).toBeGreaterThan(10);
  expect(stored()).toEqual(before);
}

describe('POST /api/v1/snapshots rejects', () => {
  test('another audience', async () => {
    const sealed = await device.seal(payload({ audience: 'https://other.example' }));
    await refuse(sealed, 422, 'audience_mismatch');
  });

  test('a statement of eleven minutes ago', async () => {
    const issued_at = new Date(Date.now() - 11 * 60_000).toISOString();
    await refuse(await device.seal(payload({ issued_at })), 422, 'snapshot_stale');
  });

  test('a byte changed after signing', async () => {
    const sealed = await device.seal(payload());
    const bytes = Buffer.from(sealed.payload, 'base64');
    bytes[bytes.length - 3] = 0x39;
    const changed = { ...sealed, payload: bytes.toString('base64') };
    await refuse(changed, 422, 'signature_invalid');
  });

  test('a key that is not enrolled', async () => {
    const stranger = await aDevice();
    await refuse(await stranger.seal(payload()), 422, 'key_unknown');
  });

  test('an ID that was used with other bytes', async () => {
    const first = payload();
    await postSnapshot(server, await device.seal(first));
    const second = payload({ submission_id: first.submission_id, issued_at: first.issued_at });
    const other = { ...second, collector: { name: 'opbench', version: '9.9.9' } };
    await refuse(await device.seal(other), 409, 'submission_id_reused');
  });

  test('a duplicate bucket', async () => {
    const twice = aLivePayload(server, [aBucket(), aBucket({ output: 1 })]);
    await refuse(await device.seal(twice), 422, 'bucket_duplicate');
  });

  test('a metric that does not follow from the counts', async () => {
    const [record] = payload().records;
    const metrics = { ...record?.metrics, velocity: 10 };
    const boasting = payload({ records: [{ ...record, metrics }] });
    await refuse(await device.seal(boasting), 422, 'metrics_mismatch');
  });

  test('an integer above 2^53-1', async () => {
    const text = JSON.stringify(payload()).replace('"output":10000', '"output":9007199254740993');
    await refuse(await device.seal(Buffer.from(text)), 422, 'validation_failed');
  });

  test('a repeated JSON key', async () => {
    const text = JSON.stringify(payload()).replace('"output":', '"output":1,"output":');
    await refuse(await device.seal(Buffer.from(text)), 400, 'json_key_duplicate');
  });

  test('a week in one record', async () => {
    const [record] = payload().records;
    const weekly = payload({ records: [{ ...record, context: { window: '7d' } }] });
    await refuse(await device.seal(weekly), 422, 'window_unsupported');
  });

  test('a body of 5 MiB', async () => {
    await refuse(randomBytes(5 * 1024 * 1024), 413, 'payload_too_large');
  });

  test('5 MiB in 5 kB of gzip', async () => {
    const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024, 0x20));
    await refuse(bomb, 413, 'payload_too_large', { 'Content-Encoding': 'gzip' });
  });

  test('what is not JSON, not an envelope, or of another media type', async () => {
    await refuse('{', 400, 'malformed_json');
    await refuse('{}', 422, 'envelope_invalid');
    await refuse('{}', 415, 'unsupported_media_type', { 'Content-Type': 'text/plain' });
  });
});

describe('POST /api/v1/snapshots accepts', () => {
  test('a gzipped envelope', async () => {
    const body = gzipSync(JSON.stringify(await device.seal(payload())));
    const reply = await postSnapshot(server, body, { 'Content-Encoding': 'gzip' });
    expect(reply.status).toBe(201);
  });
});

const MIB = 1024 * 1024;

/** A few kilobytes that decompress to 4 MiB of nested lists, with enough noise to pass as counts. */
function aBomb(): Uint8Array<ArrayBuffer> {
  const noise = Array.from({ length: 6_000 }, (_, at) => (at * 7_919) % 1_000_003).join();
  const lists = `${'['.repeat(60)}${']'.repeat(60)},`;
  const text = `[${noise},${lists.repeat(Math.floor((4 * MIB - noise.length - 10) / lists.length))}0]`;
  return new Uint8Array(gzipSync(text));
}

describe('bodies that are designed to be expensive', () => {
  test('delay only their sender, and nobody else', async () => {
    const bomb = aBomb();
    const post = async (body: Uint8Array<ArrayBuffer>, client: string) => {
      const headers = {
        ...{ 'Content-Type': ENVELOPE_MEDIA_TYPE, 'Content-Encoding': 'gzip' },
        'X-Forwarded-For': client,
      };
      const url = `${server.url}/api/v1/snapshots`;
      const answer = await fetch(url, { method: 'POST', headers, body });
      const { code } = (await answer.json()) as { code: string };
      return `${answer.status} ${code}`;
    };

    const ofMany = Array.from({ length: 120 }, (_, at) => post(bomb, `203.0.113.${at}`));
    const page = await fetch(server.url);
    const told = new Set(await Promise.all(ofMany));
    const ofOne = [];
    for (let turn = 0; turn < 22; turn += 1) ofOne.push(await post(bomb, '198.51.100.1'));
    const zeros = await post(new Uint8Array(gzipSync(Buffer.alloc(4 * MIB))), '198.51.100.2');
    const sealed = await device.seal(aLivePayload(server, [aBucket()]));
    const honest = await postSnapshot(server, sealed, { 'X-Forwarded-For': '198.51.100.1' });

    expect(bomb.length).toBeLessThan(64 * 1024);
    expect(page.status).toBe(200);
    told.delete('503 service_unavailable');
    expect([...told]).toEqual(['422 envelope_invalid']);
    expect(ofOne.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => '422 envelope_invalid'));
    expect(ofOne.slice(20)).toEqual(['429 quota_exceeded', '429 quota_exceeded']);
    expect(zeros).toBe('413 payload_too_large');
    expect(honest.status).toBe(201);
    expect(server.log()).not.toContain('"level":"error"');
  });
});
