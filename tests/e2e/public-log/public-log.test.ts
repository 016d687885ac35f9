import { describe, expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { Log } from '#core/contract/log.ts';
import type { OperatorHistory, OperatorKeys, OperatorRecords } from '#core/contract/operators.ts';
import type { Submissions } from '#core/contract/submissions.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import {
  GENESIS_HASH,
  entryHash,
  fromHex,
  hex,
  payloadDigest,
} from '#core/domain/log/log-entry.ts';
import { decodeBundle } from '#core/domain/tlog/bundle.ts';
import { leafHash } from '#core/domain/tlog/tree.ts';
import type { LogEntry } from '#core/schema/log.ts';
import { ENVELOPE_MEDIA_TYPE, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { eventually, sharedServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const TOTAL = 1_111_100;

const aServer = sharedServer();
let scene: ReturnType<typeof setScene> | undefined;

/** A running board on which `ada` submitted eight days. */
function aScene() {
  return (scene ??= setScene());
}

async function setScene() {
  const server = await aServer();
  const cookie = await server.signIn('ada');
  const device = await enrollOverHttp(server, cookie);
  const send = async (output: number) => {
    const buckets = bucketsOfDays(8, daysAgo(8), { output });
    const { body } = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
    return body;
  };
  const read = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(server.url + path);
    return (await response.json()) as Body;
  };
  const withdraw = async (id: string, headers: Record<string, string> = { Cookie: cookie }) => {
    const path = `/api/v1/submissions/${id}/withdraw`;
    const response = await fetch(server.url + path, { method: 'POST', headers });
    return { status: response.status, body: (await response.json()) as SubmissionDetail };
  };
  return { server, device, send, read, withdraw, first: await send(10_000) };
}

describe('the public log', () => {
  test('lets anyone recompute its chain and check the signatures', async () => {
    const { server, device, read, first } = await aScene();

    const { entries, head } = await read<Log>('/api/v1/log');
    const response = await fetch(`${server.url}/api/v1/submissions/${first.id}/envelope`);
    const text = await response.text();
    const { keys } = await read<OperatorKeys>('/api/v1/operators/ada/keys');

    const recompute = ({ log_index: index, kind, previous, received_at, ...entry }: LogEntry) => {
      const bytes = new TextEncoder().encode(entry.payload ?? text);
      const digest = payloadDigest(fromHex(entry.salt ?? ''), bytes, sha256);
      return entryHash({ index, kind, previous, received_at }, digest, sha256);
    };
    const hashes = entries.map(recompute);
    expect(entries.map(({ entry_hash }) => entry_hash)).toEqual(hashes);
    expect(entries.map(({ previous }) => previous)).toEqual([GENESIS_HASH, ...hashes.slice(0, -1)]);
    expect(head.entry_hash).toBe(first.entry_hash);
    expect(response.headers.get('content-type')).toBe(ENVELOPE_MEDIA_TYPE);
    const opened = takeApart(JSON.parse(text), SNAPSHOT_PAYLOAD_TYPE);
    const publicKey = Buffer.from(keys[0]?.public_key ?? '', 'base64url');
    expect(opened.keyid).toBe(device.keyid);
    expect(verifyEd25519(opened.signed, opened.signature, publicKey)).toBe(true);
  });

  test('is also served in tiles and bundles, which caches can keep forever', async () => {
    const { server, read } = await aScene();
    const { head } = await read<Log>('/api/v1/log');
    await eventually(
      async () => (await fetch(`${server.url}/log/checkpoint`)).text(),
      (note) => Number(note.split('\n')[1]) === head.log_index,
    );
    const get = async (path: string) => {
      const { status, headers, ...response } = await fetchWhole(server.url + path);
      const encoding = headers.get('content-encoding');
      return { ...response, is: [status, headers.get('cache-control'), encoding] };
    };

    const bundle = await get(`/log/tile/entries/000.p/${head.log_index}`);
    const tile = await get('/log/tile/0/000.p/1');
    const payload = await get('/log/payload/000');
    const missing = await get('/log/tile/0/000');

    const [first = new Uint8Array(), ...entries] = decodeBundle(bundle.bytes);
    expect(hex(sha256(entries.at(-1) ?? ''))).toBe(head.entry_hash);
    expect(hex(tile.bytes)).toBe(hex(leafHash(first, sha256)));
    const lines = new TextDecoder().decode(payload.bytes).trim().split('\n');
    expect(lines).toHaveLength(head.log_index);
    expect(bundle.is).toEqual([200, 'public, max-age=31536000, immutable', 'gzip']);
    expect(tile.is).toEqual([200, 'public, max-age=31536000, immutable', null]);
    expect(payload.is).toEqual([200, 'public, max-age=60', 'gzip']);
    expect(payload.vary).toBe('Accept-Encoding');
    expect(missing.is).toEqual([404, 'no-store', null]);
  });

  test('shows what counts again after a submission was withdrawn', async () => {
    const { read, send, withdraw, first } = await aScene();
    const second = await send(20_000);
    const all = async () => ({
      submissions: await read<Submissions>('/api/v1/submissions?codename=ada'),
      records: await read<OperatorRecords>('/api/v1/operators/ada/records?limit=1'),
      history: await read<OperatorHistory>('/api/v1/operators/ada/history?interval=week'),
    });
    const before = await all();

    const refused = await withdraw(second.id, {});
    const { status, body } = await withdraw(second.id);
    const after = await all();
    const board = await eventually(
      () => read<Leaderboard>('/api/v1/leaderboard?window=30d&metric=yield'),
      ({ entries }) => entries[0]?.totals?.total === 8 * TOTAL,
    );

    expect(refused.status).toBe(401);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: second.id, states: { counting: 0, withdrawn: 8 } });
    const counting = ({ submissions }: typeof before) =>
      submissions.entries.map(({ id, states }) => [id, states.counting]);
    expect(counting(before)).toEqual([
      [second.id, 8],
      [first.id, 0],
    ]);
    expect(counting(after)).toEqual([
      [second.id, 0],
      [first.id, 8],
    ]);
    expect([before, after].map(({ records }) => records.entries[0]?.telemetry.output)).toEqual([
      20_000, 10_000,
    ]);
    const tokens = ({ history }: typeof before) =>
      history.points.reduce((sum, { total }) => sum + total, 0);
    expect([tokens(before), tokens(after)]).toEqual([8 * (TOTAL + 10_000), 8 * TOTAL]);
    expect(board.entries[0]?.codename).toBe('ada');
  });
});

async function fetchWhole(url: string) {
  const response = await fetch(url);
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status, headers, bytes, vary: headers.get('vary') };
}
