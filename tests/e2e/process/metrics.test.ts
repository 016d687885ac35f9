import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { metricsUrl, samplesIn } from '#tests/support/http/metrics.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const CODENAME = 'zaphodbeeblebrox';

describe('METRICS_LISTEN', () => {
  test('serves what the board does on a port of its own, without personal data', async () => {
    const server = await startServer({ env: { METRICS_LISTEN: '0' } });
    const device = await enrollOverHttp(server, await server.signIn(CODENAME));
    const buckets = bucketsOfDays(5, '2026-03-01');
    const sent = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
    await (await fetch(`${server.url}/operators/${CODENAME}`)).text();
    const scrape = async () => (await fetch(metricsUrl(server.log()))).text();

    const text = await eventually(scrape, (text) => {
      const samples = samplesIn(text);
      return Number(samples['opbench_published_operators']) > 0;
    });

    expect(sent.status).toBe(201);
    const samples = samplesIn(text);
    expect(samples).toMatchObject({
      opbench_ready: 1,
      'opbench_http_requests_total{route="/api/v1/snapshots",method="POST",status="2xx"}': 1,
      'opbench_http_request_duration_seconds_count{route="/operators/*"}': 1,
      opbench_publication_stale: 0,
    });
    expect(samples['opbench_publication_duration_seconds_count']).toBeGreaterThan(0);
    expect(samples['opbench_log_head_index']).toBeGreaterThan(0);
    expect(Object.keys(samples).join()).toMatch(/opbench_info\{version="\d+\.\d+\.\d+/);
    expect(text).not.toContain(CODENAME);
    // The page about the metrics of the board.
    expect(await (await fetch(`${server.url}/metrics`)).text()).not.toContain('opbench_ready');
  });

  test('is off by default', async () => {
    expect((await plainBoard()).log()).not.toContain('metrics_started');
  });

  test('stops the start if its port is in use', async () => {
    const { port } = new URL((await plainBoard()).url);
    const env = { DATA_DIR: aDataDir(), PORT: '0', METRICS_LISTEN: port };

    const { status, stderr } = await runBuilt('server/entry.mjs', [], env);

    expect(status).toBe(1);
    expect(stderr).toContain(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set METRICS_LISTEN to another port.`,
    );
  });
});

test('invalid settings for metrics and backups stop the start, each with what to do', async () => {
  const file = join(aDataDir(), 'file');
  writeFileSync(file, '');
  const start = (env: Record<string, string>) => {
    return runBuilt('server/entry.mjs', [], { DATA_DIR: aDataDir(), PORT: '0', ...env });
  };

  const named = await start({ METRICS_LISTEN: 'all', BACKUP_DIR: file, BACKUP_KEEP: '0' });
  const unwritable = await start({ BACKUP_DIR: file });

  expect([named.status, unwritable.status]).toEqual([1, 1]);
  expect(named.stderr).toContain('METRICS_LISTEN: must be a port');
  expect(named.stderr).toContain('BACKUP_KEEP: must be a whole number from 1 to 30');
  expect(unwritable.stderr).toContain(`BACKUP_DIR: cannot write to ${file} (`);
});
