/** A writer, a real object store and readers, of which each is cut off or killed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import type { Me } from '#core/contract/me.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { aFilledFolder } from '#tests/support/board/filled-folder.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { toolText } from '#tests/support/mcp/mcp-wire.ts';
import {
  type Answer,
  type RunningReader,
  askAt,
  shown,
  startReader,
} from '#tests/support/store/reader.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';

const STILL = { REFRESH_SECONDS: '3600' };

let s3: S3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

const statusAt = async (reader: RunningReader, board: RunningServer, address: string) =>
  (await askAt(reader, board, address)).status;

const readiness = async (reader: RunningReader) => {
  const answer = await fetch(`${reader.url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe('a board with readers', () => {
  test('hides an operator from all readers within two seconds', async () => {
    const own = await startS3();
    const writer = await startServer({ dataDir: aFilledFolder(8), env: { ...own.env, ...STILL } });
    const readers = [await startReader(own, writer), await startReader(own, writer)];
    for (const reader of readers) {
      expect(await shown(reader, writer, '/operators/op-5')).toContain('op-5');
      expect(await shown(reader, writer)).toContain('op-5');
    }
    const hide = ['hide', 'op-5', '--reason', 'A test'];
    const hidden = await runBuilt('opbench-board.mjs', hide, { DATA_DIR: writer.dataDir });
    expect(hidden).toMatchObject({ status: 0 });
    const isGone = async (reader: RunningReader) => {
      const [page, front] = [
        await askAt(reader, writer, '/operators/op-5'),
        await askAt(reader, writer, '/'),
      ];
      return page.status !== 200 && !String(front.bytes).includes('op-5');
    };
    await eventually(
      async () => !String((await askAt(writer, writer, '/')).bytes).includes('op-5'),
      Boolean,
    );
    const sinceMs = performance.now();
    for (const reader of readers)
      expect(await eventually(() => isGone(reader), Boolean)).toBe(true);

    expect(performance.now() - sinceMs).toBeLessThan(2000);
    for (const reader of readers) expect(await shown(reader, writer)).not.toContain('op-5');
    await own.stop();
  });

  test('a reader that is cut off from the store shows nothing after 30 s, and recovers', async () => {
    const own = await startS3();
    const writer = await startServer({ dataDir: aFilledFolder(3), env: { ...own.env, ...STILL } });
    const reader = await startReader(own, writer);
    await shown(reader, writer);
    expect(await readiness(reader)).toMatchObject({ status: 200, body: { status: 'ready' } });

    own.decide(() => 'break');
    await eventually(
      async () => reader.log(),
      (log) => log.includes('store_unconfirmed'),
    );
    expect(await statusAt(reader, writer, '/')).toBe(200);
    reader.waitLong();
    const refused = await eventually(
      () => askAt(reader, writer, '/'),
      ({ status }) => status === 503,
    );
    expect(refused.headers['retry-after']).toBeDefined();
    expect(JSON.parse(String(refused.bytes))).toMatchObject({
      code: 'service_unavailable',
      detail: expect.stringContaining('cannot reach the object store') as string,
    });
    expect(await readiness(reader)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { object_store: 'failing' } },
    });
    // The writer knows what is true.
    expect(await statusAt(reader, writer, '/submissions')).toBe(200);

    own.decide(() => 'pass');
    await shown(reader, writer);
    expect(await readiness(reader)).toMatchObject({ status: 200 });
    await own.stop();
  });

  test('a reader shows pages while the writer is down, also one that starts then', async () => {
    const own = await startS3();
    const dataDir = aFilledFolder(3);
    const PORT = String(await aFreePort());
    const env = { ...own.env, ...STILL, PORT };
    const writer = await startServer({ dataDir, env });
    const reader = await startReader(own, writer);
    await shown(reader, writer);
    await writer.stop('SIGKILL');

    const later = await startReader(own, writer);
    for (const each of [reader, later]) {
      await shown(each, writer);
      await shown(each, writer, '/operators/op-2');
      await shown(each, writer, '/log/checkpoint');
      const live = await askAt(each, writer, '/submissions');
      expect([live.status, live.headers['retry-after']]).toEqual([503, '2']);
      expect(await readiness(each)).toMatchObject({
        status: 200,
        body: { checks: { writer: 'unreachable' } },
      });
    }

    const again = await startServer({ dataDir, env });
    expect(await statusAt(reader, again, '/submissions')).toBe(200);
    expect(reader.log()).toContain('"event":"writer_recovered"');
    await own.stop();
  });

  test('signs in, enrolls, submits, uploads and asks tools through a reader', async () => {
    const own = await startS3();
    const env = { BASE_URL: 'https://bench.example.org', TRUST_PROXY: 'loopback' };
    const writer = await startServer({ env: { ...own.env, ...env } });
    const reader = await startReader(own, writer);
    await shown(reader, writer);
    const through = { url: reader.url, baseUrl: writer.baseUrl };

    const login = await askAt(reader, writer, '/login');
    expect(login.headers.location).toMatch(`${writer.baseUrl}/oauth/authorize?`);
    expect(login.headers['set-cookie']).toHaveLength(1);
    const cookie = await writer.signIn('ada');
    const device = await enrollOverHttp(through, cookie);
    const payload = aLivePayload(through, bucketsOfDays(9, daysAgo(10)));
    const { status, body } = await postSnapshot(through, await device.seal(payload));
    expect([status, body.id]).toEqual([201, expect.any(String)]);
    const me = await askAt(reader, writer, '/api/v1/me', { headers: { Cookie: cookie } });
    expect((JSON.parse(String(me.bytes)) as Me).codename).toBe('ada');

    const picture = {
      create: { width: 900, height: 900, channels: 3, background: '#123456' },
    } as const;
    const form = new FormData();
    form.set(
      'file',
      new Blob([await sharp(picture).png().toBuffer()], { type: 'image/png' }),
      'a.png',
    );
    const uploaded = await fetch(`${reader.url}/api/v1/profile/avatar`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body: form,
    });
    expect(uploaded.status).toBe(200);
    expect(await toolText(through, 'get_leaderboard')).toContain('"structuredContent":');
    expect(await shown(reader, writer, '/operators/ada')).toContain('ada');
    await own.stop();
  });

  test('the writer counts requests by the address of the visitor', async () => {
    const own = await startS3();
    const env = { TRUST_PROXY: 'loopback', RATE_LIMIT_PUBLIC: '2' };
    const writer = await startServer({ env: { ...own.env, ...STILL, ...env } });
    const reader = await startReader(own, writer, { TRUST_PROXY: 'loopback' });
    await shown(reader, writer);
    const ask = async (client: string) => {
      const headers = { 'X-Forwarded-For': client };
      return (await askAt(reader, writer, '/api/v1/submissions', { headers })).status;
    };
    const statuses = [];
    for (const last of [7, 7, 7, 8]) statuses.push(await ask(`198.51.100.${last}`));

    expect(statuses).toEqual([200, 200, 429, 200]);
    await own.stop();
  });

  test('a reader that passes requests on to a reader gets an error at once, and says so', async () => {
    const own = await startS3();
    const writer = await startServer({ dataDir: aFilledFolder(3), env: { ...own.env, ...STILL } });
    const right = await startReader(own, writer);
    const PORT = String(await aFreePort());
    const itself = await startReader(own, { url: `http://127.0.0.1:${PORT}` }, { PORT });
    const [other, last] = [await startReader(own, itself), await startReader(own, right)];
    const body = Buffer.alloc(200_000, ' ');
    for (const reader of [itself, other, last]) {
      await shown(reader, writer);
      const read = await askAt(reader, writer, '/submissions');
      expect([read.status, read.headers['cache-control']]).toEqual([508, 'no-store']);
      expect(JSON.parse(String(read.bytes))).toMatchObject({ code: 'loop_detected' });
      const headers = { 'Content-Type': 'application/json' };
      const write = { method: 'POST', headers, body };
      expect((await askAt(reader, writer, '/api/v1/snapshots', write)).status).toBe(508);

      expect(reader.log().match(/"event":"writer_loop".*WRITER_URL/g)).toHaveLength(1);
      expect(await readiness(reader)).toMatchObject({
        status: 200,
        body: { checks: { writer: 'loop' }, reasons: [expect.stringContaining('WRITER_URL')] },
      });
    }
    const behindCdn = { headers: { Via: '1.1 varnish (Varnish/7.5), 2 cdn.example' } };
    expect((await askAt(right, writer, '/submissions', behindCdn)).status).toBe(200);
    expect(right.log()).not.toContain('writer_');
    await own.stop();
  });

  test('the writer answers a reader as it answers others', async () => {
    const writer = await startServer({ dataDir: aFilledFolder(3), env: STILL });
    const lasting = ({ status, headers, bytes }: Answer) => {
      const named = Object.entries(headers).filter(
        ([name]) => !/^date$|^x-req|^ratelimit/.test(name),
      );
      return { status, headers: Object.fromEntries(named), bytes };
    };
    for (const address of ['/', '/operators/op-1', '/submissions', '/api/v1/leaderboard']) {
      for (const encoding of ['br', 'gzip', 'zstd', 'identity']) {
        const ask = (more = {}) => {
          const headers = { 'Accept-Encoding': encoding, ...more };
          return askAt(writer, writer, address, { headers });
        };
        await ask();
        const [plain, via] = [await ask(), await ask({ Via: '1.1 opbench+reader' })];
        expect(lasting(via)).toEqual(lasting(plain));
        expect([address, plain.status]).toEqual([address, 200]);
      }
    }
  });

  test('passes everything on while only members can read the board', async () => {
    const own = await startS3();
    const writer = await startServer({ env: { ...own.env, ...STILL, READ: 'members' } });
    const reader = await startReader(own, writer);
    const cookie = await writer.signIn('ada');
    const front = await eventually(
      () => askAt(reader, writer, '/', { headers: { Cookie: cookie } }),
      ({ status }) => status === 200,
    );
    expect(front.status).toBe(200);
    const stranger = await askAt(reader, writer, '/');
    expect([stranger.status, stranger.headers.location]).toEqual([303, '/login?return_to=%2F']);
    expect(await readiness(reader)).toMatchObject({ status: 200, body: { status: 'ready' } });
    await own.stop();
  });
});

describe('opbench-board read', () => {
  const run = (env: Readonly<Record<string, string>>) =>
    runBuilt('opbench-board.mjs', ['read'], env);

  test('names the settings that are missing or wrong', async () => {
    expect(await run({})).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('OBJECT_STORE_URL: must be set') as string,
    });
    const env = { ...s3.env, OBJECT_STORE_SECRET_ACCESS_KEY: '', WRITER_URL: 'somewhere' };
    expect(await run(env)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /WRITER_URL: .*\n.*OBJECT_STORE_SECRET_ACCESS_KEY: must be set|WRITER_URL: must be an address/,
      ) as string,
    });
  });

  test('ends if the store denies access, or has a format that it cannot read', async () => {
    const denied = await run({ ...s3.env, OBJECT_STORE_SECRET_ACCESS_KEY: 'wrong', PORT: '0' });
    expect(denied.status).toBe(1);
    expect(denied.stderr).not.toContain('at ');
    await s3.store.put('current', Buffer.from('{"format":2}'));
    const unreadable = await run({ ...s3.env, PORT: '0' });
    expect(unreadable).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('has a format that this version cannot read') as string,
    });
  });

  test('stops in order, and needs no data folder', async () => {
    const DATA_DIR = aDataDir();
    await s3.store.delete(['current']);
    const reader = await startReader(s3, null, { DATA_DIR });
    expect(await readiness(reader)).toMatchObject({ status: 503 });
    expect(await reader.stop()).toBe(0);
    expect(reader.log()).toContain('"event":"stopped"');
  });
});
