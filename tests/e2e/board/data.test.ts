/** Data in and out of the built server: self-reports, pasted text, the corpus and the export. */
import { expect, test } from 'vitest';
import type { AccountExport } from '#core/contract/account-export.ts';
import type { CorpusRecord } from '#core/contract/corpus.ts';
import type { IngestResult } from '#core/contract/ingest.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { Log } from '#core/contract/log.ts';
import type { OperatorRecords } from '#core/contract/operators.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

test('a self-report can be pasted, appears on the board with unsigned counts, and can be exported', async () => {
  const server = await startServer();
  const ada = { Cookie: await server.signIn('ada') };
  const key = { 'X-API-Key': await server.aKey() };
  const read = async <Body>(path: string, headers: Record<string, string> = {}): Promise<Body> =>
    (await (await fetch(server.url + path, { headers })).json()) as Body;
  const post = async <Body>(path: string, body: unknown, headers: Record<string, string>) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(server.url + path, { method: 'POST', headers, body: text });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const before = (await read<Log>('/api/v1/log')).total;

  // Preview: nothing is stored.
  const pasted = bucketsOfDays(9, daysAgo(9)).map(composeRecord);
  const text = pasted.map((record) => JSON.stringify(record)).join('\n');
  const plain = { ...ada, 'Content-Type': 'text/plain' };
  const parsed = await post<IngestResult>('/api/v1/ingest-parse', text, plain);
  const again = await post<IngestResult>(
    '/api/v1/ingest-parse',
    { text },
    { ...ada, ...JSON_TYPE },
  );
  expect(parsed).toEqual({
    status: 200,
    body: { formats: ['records'], records: pasted, warnings: [] },
  });
  expect(again).toEqual(parsed);
  expect((await read<Log>('/api/v1/log')).total).toBe(before);

  // Submission: stored once, even if the request is repeated.
  const byHand = { ...ada, ...JSON_TYPE, 'Idempotency-Key': 'first' };
  const { records } = parsed.body;
  const sent = await post<SnapshotReceipt>('/api/v1/snapshots', { records }, byHand);
  const resent = await post<SnapshotReceipt>('/api/v1/snapshots', { records }, byHand);
  const other = await post('/api/v1/snapshots', records[0], byHand);
  const stranger = await post('/api/v1/snapshots', records[0], JSON_TYPE);
  const foreign = {
    ...byHand,
    Origin: 'https://elsewhere.example',
    'Sec-Fetch-Site': 'cross-site',
  };
  const forged = await post('/api/v1/snapshots', records[0], foreign);
  expect([sent, resent, other, stranger, forged].map(({ status }) => status)).toEqual([
    201, 200, 409, 401, 403,
  ]);
  expect(resent.body).toEqual(sent.body);

  // Pages mark it as unsigned.
  const id = sent.body.id;
  expect(await read<SubmissionDetail>(`/api/v1/submissions/${id}`)).toMatchObject({
    trust: 'self_reported',
    keyid: null,
    collector: null,
    states: { counting: 9 },
  });
  const envelope = await read<{ signatures: unknown[] }>(`/api/v1/submissions/${id}/envelope`);
  expect(envelope.signatures).toEqual([]);
  const board = (trust: string) => read<Leaderboard>(`/api/v1/leaderboard?trust=${trust}`);
  const ranked = await eventually(
    () => board('all'),
    ({ total }) => total === 1,
  );
  expect(ranked.entries).toMatchObject([{ codename: 'ada', trust: 'self_reported' }]);
  expect((await board('signed')).total).toBe(0);
  const shown = await read<OperatorRecords>('/api/v1/operators/ada/records?limit=1');
  expect(shown).toMatchObject({ total: 9 });

  // Signed submissions: the signature is the credential, and cookies are ignored.
  const device = await enrollOverHttp(server, ada.Cookie);
  const codex = bucketsOfDays(9, daysAgo(9), { tool: 'codex' });
  const signed = await device.seal(aLivePayload(server, codex));
  expect((await postSnapshot(server, signed, { Cookie: 'session=nonsense' })).status).toBe(201);
  const mixed = await eventually(
    () => board('all'),
    ({ entries }) => entries[0]?.trust === 'mixed',
  );
  expect(mixed.entries).toMatchObject([{ trust: 'mixed', tools: ['claude-code', 'codex'] }]);

  // Output: the corpus for API keys, and the export for the owner.
  const corpus = await fetch(`${server.url}/api/v1/corpus`, { headers: key });
  const lines = (await corpus.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toHaveLength(19);
  expect(lines.at(-1)).toEqual({ log_index: expect.any(Number) as number });
  const { context } = lines[8] as CorpusRecord;
  const rest = await fetch(`${server.url}/api/v1/corpus?cursor=${context.cursor}`, {
    headers: key,
  });
  expect(
    (await rest.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual(lines.slice(9));
  const data = await read<AccountExport>('/api/v1/account/export', ada);
  expect(data).toMatchObject({ profile: { codename: 'ada' }, devices: [{}, {}] });
  expect(data.submissions.map((one) => one.envelope?.signatures.length)).toEqual([0, 1]);
  expect(data.buckets).toHaveLength(18);

  // Withdrawn.
  const withdrawal = await post<SubmissionDetail>(`/api/v1/submissions/${id}/withdraw`, '', ada);
  expect(withdrawal.body.states).toMatchObject({ counting: 0, withdrawn: 9 });

  // Nobody else gets anything.
  expect((await fetch(`${server.url}/api/v1/corpus`)).status).toBe(401);
  expect((await fetch(`${server.url}/api/v1/account/export`)).status).toBe(401);
  expect((await fetch(`${server.url}/api/v1/corpus?cursor=x`, { headers: key })).status).toBe(400);
  expect(server.log()).not.toContain('"level":"error"');
});
