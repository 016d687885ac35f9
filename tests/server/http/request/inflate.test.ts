import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BODY_LIMIT_BYTES, SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';
import { MAX_RECORDS, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { inflateBody } from '#server/http/request/body.ts';
import { aBucket } from '#tests/support/board/builders.ts';

const gzip = (text: string | Uint8Array) => new Uint8Array(gzipSync(text));

/** Inflates, and counts how often it asked for permission. */
async function inflate(bytes: Uint8Array<ArrayBuffer>, limit: number = SNAPSHOT_LIMIT_BYTES) {
  let asked = 0;
  const inflated = await inflateBody(bytes, limit, async () => {
    asked += 1;
  });
  return { length: inflated?.length ?? null, asked };
}

/** The most compressible counts of a real device: one model, the same every day. */
function theSameEveryDay(): string {
  const dayOf = (at: number) => new Date(Date.UTC(2010, 0, 1 + at)).toISOString().slice(0, 10);
  const payload = composeSnapshot({
    audience: 'https://bench.example',
    submission_id: '01890f3a-0000-7000-8000-000000000000',
    issuedAtMs: 0,
    collector: { name: 'opbench', version: '1.0.0' },
    correction: null,
    buckets: Array.from({ length: MAX_RECORDS }, (_, at) => aBucket({ day: dayOf(at) })),
  });
  return JSON.stringify({
    payloadType: SNAPSHOT_PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [],
  });
}

describe('inflateBody()', () => {
  test('asks before it inflates more than 64 KiB, and only then', async () => {
    const usual = Array.from({ length: 20_000 }, (_, at) => at)
      .join()
      .slice(-BODY_LIMIT_BYTES);

    expect(await inflate(gzip(usual))).toEqual({ length: BODY_LIMIT_BYTES, asked: 0 });
    expect(await inflate(gzip(`${usual}x`))).toEqual({ length: BODY_LIMIT_BYTES + 1, asked: 1 });
    await expect(
      inflateBody(gzip(`${usual}x`), SNAPSHOT_LIMIT_BYTES, async () => {
        throw new Error('not you');
      }),
    ).rejects.toThrow('not you');
  });

  test('inflates little of a body that exceeds a smaller limit', async () => {
    expect(await inflate(gzip('x'.repeat(101)), 100)).toEqual({ length: null, asked: 0 });
  });

  test('accepts the most compressible snapshot, and rejects bodies that only zeros can produce', async () => {
    const snapshot = theSameEveryDay();

    expect((await inflate(gzip(snapshot))).length).toBe(Buffer.byteLength(snapshot));
    expect((await inflate(gzip(Buffer.alloc(SNAPSHOT_LIMIT_BYTES)))).length).toBeNull();
  });
});
