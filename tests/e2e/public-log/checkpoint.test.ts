import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hex } from '#core/domain/log/log-entry.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import {
  checkConsistency,
  checkInclusion,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { checkpointPath } from '#server/config/config.ts';
import { sha256 } from '#server/process/crypto.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { metricsUrl, samplesIn } from '#tests/support/http/metrics.ts';
import { eventually, startServer, type RunningServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { policyOf } from '#tests/support/tlog/board-checkpoints.ts';
import { publishedLogKey } from '#tests/support/tlog/published-log-key.ts';

const tools = { sha256, verify: verifyStrict };

const checkpointIn = (note: string) => parseCheckpoint(parseNote(note).text);

async function read({ url }: RunningServer, path: string): Promise<string> {
  const response = await fetch(url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

async function submitTo(server: RunningServer) {
  const device = await enrollOverHttp(server, await server.signIn('ada'));
  const days = bucketsOfDays(3, daysAgo(4));
  const { body } = await postSnapshot(server, await device.seal(aLivePayload(server, days)));
  return body;
}

describe('the checkpoint', () => {
  test('proves a submission and that the log extends the tree before it', async () => {
    const server = await startServer();
    const policy = policyOf(await publishedLogKey(server.url));
    const before = checkpointIn(await read(server, '/log/checkpoint'));
    expect(before.origin).toBe(`${new URL(server.url).host}/log`);
    const { log_index, entry_hash } = await submitTo(server);

    await eventually(
      async () => checkpointIn(await read(server, '/log/checkpoint')).size,
      (size) => size >= log_index,
    );

    const proof = parseLogProof(await read(server, `/api/v1/log/proof?log_index=${log_index}`));
    const entry = proof.extra ?? new Uint8Array();
    await checkInclusion(entry, proof, policy, tools);
    expect(hex(sha256(entry))).toBe(entry_hash);
    const path = `/api/v1/log/consistency?from=${before.size}`;
    await checkConsistency(before, parseConsistency(await read(server, path)), policy, tools);
  });

  test('is plain text that caches keep for seconds, and a proof is not in it early', async () => {
    const server = await startServer();
    const { headers } = await fetch(`${server.url}/log/checkpoint`);
    const early = await fetch(`${server.url}/api/v1/log/proof?log_index=1000`);

    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toContain('max-age=5');
    expect(early.status).toBe(404);
    expect((await fetch(`${server.url}/api/v1/log/proof`)).status).toBe(400);
  });

  test('stays the same after kill -9, and grows from there', async () => {
    const server = await startServer();
    const note = await read(server, '/log/checkpoint');
    await server.stop('SIGKILL');

    const again = await startServer({ dataDir: server.dataDir });
    const next = await read(again, '/log/checkpoint');

    const [older, newer] = [checkpointIn(note), checkpointIn(next)];
    expect(newer.origin).toBe(older.origin);
    expect(newer.size).toBeGreaterThanOrEqual(older.size);
    if (newer.size === older.size) expect(next).toBe(note);
  });

  test('is refused, and /readyz says so, if a larger one was published', async () => {
    const server = await startServer();
    const note = await read(server, '/log/checkpoint');
    await server.stop();
    const larger = note.replace(/\n\d+\n/, '\n1000000\n');
    writeFileSync(checkpointPath(server), larger);

    const env = { METRICS_LISTEN: '0' };
    const again = await startServer({ dataDir: server.dataDir, env });
    const answer = await fetch(`${again.url}/log/checkpoint`);
    const ready = await fetch(`${again.url}/readyz`);

    expect(answer.status).toBe(503);
    expect(again.log()).toContain('checkpoint_refused');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      checks: { checkpoint: 'rewound' },
      reasons: [expect.stringContaining('opbench-board restore')],
    });
    const metrics = await fetch(metricsUrl(again.log()));
    expect(samplesIn(await metrics.text())).toMatchObject({
      'opbench_checkpoint_fault{fault="rewound"}': 1,
      'opbench_checkpoint_fault{fault="forked"}': 0,
    });
  });
});
