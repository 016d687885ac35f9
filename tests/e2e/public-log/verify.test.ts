/** `opbench verify` against the built board, with operators who have done everything that the log can contain. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 1_300_000 };

/** An operator with nine signed days. Equal days of two accounts would be put on hold. */
async function aSubmitter(server: RunningServer, codename: string, input: number) {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const send = async (output: number) => {
    const buckets = bucketsOfDays(9, daysAgo(9), { input, output });
    const { body } = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
    return body;
  };
  const post = async (path: string, body: unknown = {}) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(server.url + path, init);
    expect(response.status).toBeLessThan(300);
  };
  return { cookie, device, send, post, first: await send(10_000) };
}

test('finds nothing on a board with every kind of operator, and finds one changed byte', async () => {
  const server = await startServer();
  const log = `${server.url}/log.ndjson.gz`;
  const ada = anInstallation();
  for (let day = 1; day <= 9; day += 1) ada.logDay(daysAgo(day), COUNTS);
  await enroll(ada, server.url, await server.signIn('ada'));
  expect((await ada.run('submit')).status).toBe(0);
  const byHand = { Cookie: await server.signIn('bob'), 'Content-Type': 'application/json' };
  const records = bucketsOfDays(9, daysAgo(9)).map(composeRecord);
  await postSnapshot(server, JSON.stringify({ records }), byHand);
  const carol = await aSubmitter(server, 'carol', 1500);
  const second = await carol.send(90_000);
  await carol.post(`/api/v1/submissions/${second.id}/withdraw`);
  const dave = await aSubmitter(server, 'dave', 2000);
  const erin = await aSubmitter(server, 'erin', 2500);
  const frank = await aSubmitter(server, 'frank', 3000);
  const written = () =>
    eventually(
      async () => fetch(log),
      ({ status }) => status === 200,
    );
  const before = await written();
  const etag = before.headers.get('etag') ?? '';
  expect(gunzipSync(Buffer.from(await before.arrayBuffer())).toString()).toContain('opbench-log/1');
  const again = await fetch(log, { headers: { 'If-None-Match': etag } });
  const head = await fetch(log, { method: 'HEAD' });
  expect([again.status, head.status, head.headers.get('etag')]).toEqual([304, 200, etag]);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);

  await dave.post('/api/v1/account/delete', { confirm: 'dave' });
  await erin.post('/api/v1/profile', { privacy_mode: 'anonymous' });
  await frank.post('/api/v1/account/data-opt-out', { opt_out: true });
  const after = gunzipSync(Buffer.from(await (await written()).arrayBuffer())).toString();
  for (const { device } of [dave, erin, frank]) expect(after).not.toContain(device.public_key);
  const verified = await ada.runBuilt('verify', server.url, '--json');

  const report = JSON.parse(verified.stdout) as { log_index: number };
  expect(report).toMatchObject({
    sound: true,
    base_url: server.url,
    // An account's name, key and submission, and the current visibility of erin and frank.
    entries: { erased: 3, lost: 0, withheld: 3 + 1 + 3 + 1 },
    submissions: { signed: 3, self_reported: 1 },
    boards: [{ kept: 'current', extent: 'partly', is_sound: true }],
    live: { log_index: report.log_index },
    own_receipts: 1,
    notes: [],
    findings: [],
  });
  expect(verified.status).toBe(0);

  const file = join(aDataDir(), 'export.ndjson');
  const env = { DATA_DIR: server.dataDir, BASE_URL: server.url };
  const exported = await runAdmin(['export', file], env);
  expect(exported).toMatchObject({ status: 0, stderr: '' });
  expect((await ada.run('verify', file)).stdout).toMatch(
    /Sound as far as it could be checked\. Not checked: \d+ rows taken as stated\.\n$/,
  );
  const text = readFileSync(file, 'utf8');
  expect(text).toBe(after);
  writeFileSync(file, text.replace('"name":"ada"', '"name":"eve"'));
  const forged = await ada.run('verify', file);
  expect(forged.status).toBe(3);
  expect(forged.stdout).toMatch(/line \d+: the row of eve was changed/);
});
