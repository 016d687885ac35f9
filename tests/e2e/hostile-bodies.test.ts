import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { aBucket } from '../support/board/builders.ts';
import { startServer } from '../support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

const MIB = 1024 * 1024;

/** A few kilobytes that become 4 MiB of lists in lists, with enough noise to be taken for counts. */
function aBomb(): Uint8Array<ArrayBuffer> {
  const noise = Array.from({ length: 6_000 }, (_, at) => (at * 7_919) % 1_000_003).join();
  const lists = `${'['.repeat(60)}${']'.repeat(60)},`;
  const text = `[${noise},${lists.repeat(Math.floor((4 * MIB - noise.length - 10) / lists.length))}0]`;
  return new Uint8Array(gzipSync(text));
}

describe('bodies that are made to cost much', () => {
  test('cost the one who sends them their turn, and nobody else theirs', async () => {
    const env = { TRUST_PROXY: 'loopback', RATE_LIMIT_PUBLIC: '60' };
    const server = await startServer({ env });
    const device = await enrollOverHttp(server, await server.signIn('ada'));
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
