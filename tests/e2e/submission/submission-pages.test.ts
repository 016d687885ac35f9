/** The pages of submissions on the built server. */
import { expect, test } from 'vitest';
import type { Submissions } from '#core/contract/submissions.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { readSubmissions } from '#server/submission/submissions.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { anOperator } from '#tests/support/board/context.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import {
  addPeople,
  aPresentBoard,
  serve,
  textOf,
  unevenDays,
} from '#tests/support/board/people.ts';

async function readPage({ url }: RunningServer, path: string) {
  const answer = await fetch(url + path);
  const html = await answer.text();
  return { status: answer.status, headers: answer.headers, html, text: textOf(html) };
}

/** Two signed submissions, one of them on hold, and a self-report. */
async function aScene() {
  const ctx = aPresentBoard();
  await addPeople(ctx, 2);
  const typist = anOperator(ctx, 'typist');
  const text = JSON.stringify({ records: unevenDays(5).map(composeRecord) });
  await submitRecords(ctx, { operator_id: typist.id }, { text, idempotencyKey: undefined });
  const { entries } = readSubmissions(ctx, SubmissionsQuery.parse({ codename: 'op-01' }));
  const held = entries[0]?.id ?? '';
  decideSubmission(ctx, { kind: 'hold', id: held, reason: 'To look at' });
  return serve(ctx);
}

test('the page lists what the API lists, can be filtered by name, and links to each submission', async () => {
  const server = await aScene();
  const list = (await (await fetch(`${server.url}/api/v1/submissions`)).json()) as Submissions;

  const all = await readPage(server, '/submissions');
  expect([all.status, all.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  expect(list.entries.length).toBe(3);
  for (const { id, codename, log_index } of list.entries) {
    expect(all.html).toContain(`href="/submissions/${id}"`);
    expect(all.html).toContain(`href="/operators/${codename}"`);
    expect(all.text).toContain(` ${log_index} `);
    expect(all.text).toContain(`Submission of ${codename}, `);
  }
  expect(all.text).toContain('10 records, on hold');
  expect(all.text).not.toContain('counting');
  expect(all.text).toContain('unsigned');

  const signed = await readPage(server, '/submissions?trust=signed&codename=OP-00');
  expect(signed.text).toContain('1 submission,');
  expect(signed.text).not.toContain('unsigned');
  const unknown = await readPage(server, '/submissions?codename=%22%3E%3Cb%3E');
  expect([unknown.status, unknown.html.includes('"><b>')]).toEqual([404, false]);
  expect(unknown.text).toContain('No operator with this codename has a public page.');
  const [newest] = list.entries;
  const older = await readPage(server, `/submissions?after=${newest?.log_index}`);
  expect(older.html).not.toContain(newest?.id);
  expect((await readPage(server, '/submissions?after=1')).text).toContain('No older submissions.');
  await readEach(server, list);
});

/** Each submission has a page that says what it proves and what it does not. */
async function readEach(server: RunningServer, { entries }: Submissions): Promise<void> {
  for (const { id, trust, entry_hash, codename } of entries) {
    const { status, text, html } = await readPage(server, `/submissions/${id}`);
    expect(status).toBe(200);
    for (const part of [entry_hash, codename]) expect(text).toContain(part);
    expect(text.includes('This submission is unsigned')).toBe(trust === 'self_reported');
    expect(text.includes('It does not show that the counts are true')).toBe(trust === 'signed');
    const hrefs = [...html.matchAll(/href="(\/(?:api|operators)\/[^"]*)"/g)].map(
      ([, href = '']) => href,
    );
    for (const href of hrefs) {
      expect([href, (await fetch(server.url + href.replaceAll('&amp;', '&'))).ok]).toEqual([
        href,
        true,
      ]);
    }
  }
  for (const id of ['x', '01a1f8d8-1000-7b3e-9f55-0e3b7a1c4f10']) {
    expect(await readPage(server, `/submissions/${id}`)).toMatchObject({ status: 404 });
  }
}
