import { describe, expect, test } from 'vitest';
import {
  SubmissionsQuery,
  Submissions,
  getSubmissionEnvelope,
} from '#core/contract/submissions.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { SubmissionDetail } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import {
  readSubmission,
  readSubmissionEnvelope,
  readSubmissions,
  readySubmission,
} from '#server/submission/submissions.ts';
import {
  MINUTE_MS,
  NOW,
  aBucket,
  aPayload,
  aRecord,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  execute,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const NOBODY = '019a0000-0000-7000-8000-000000000000';
const NONE = { counting: 0, superseded: 0, held: 0, rejected: 0, withdrawn: 0, erased: 0 };

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const send = async (...over: Partial<Bucket>[]) =>
    (await submit(ctx, device, over.map(aBucket))).answer;
  return { ctx, device, send };
}

const list = (ctx: TestContext, query: Record<string, string> = {}) =>
  readSubmissions(ctx, SubmissionsQuery.parse(query));

/** The pages of a list, one after the other. */
function pagesOf(ctx: TestContext, query: Record<string, string>) {
  const pages: number[][] = [];
  let cursor: string | null = null;
  do {
    const page = list(ctx, { ...query, ...(cursor !== null && { cursor }) });
    pages.push(page.entries.map(({ log_index }) => log_index));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

describe('readSubmissions()', () => {
  test('lists accepted submissions, newest first, before any board shows them', async () => {
    const { ctx, send } = await aScene();
    const first = await send({ day: '2026-03-02' }, { day: '2026-03-01' }, { tool: 'codex' });
    ctx.clock.nowMs += MINUTE_MS;
    const second = await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]);

    const page = list(ctx);

    expect(Submissions.parse(page)).toEqual(page);
    expect(page).toMatchObject({ total: 2, next_cursor: null });
    expect(page.entries.map(({ id }) => id)).toEqual([second.answer.id, first.id]);
    expect(page.entries[1]).toEqual({
      log_index: first.log_index,
      id: first.id,
      codename: 'ada',
      trust: 'signed',
      received_at: NOW,
      records: 3,
      days: 2,
      first_day: '2026-03-01',
      last_day: '2026-03-02',
      tools: ['claude-code', 'codex'],
      states: { ...NONE, counting: 3 },
      entry_hash: first.entry_hash,
    });
  });

  test('distinguishes records that count from superseded ones', async () => {
    const { ctx, send } = await aScene();
    await send(...bucketsOfDays(5, '2026-03-01'));
    await send(...bucketsOfDays(2, '2026-03-02', { output: 20_000 }));
    await send(...bucketsOfDays(2, '2026-03-03', { output: 1 }));
    const twins = bucketsOfDays(3, '2026-03-04');
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), twins);

    const states = list(ctx).entries.map((entry) => entry.states);

    expect(states).toEqual([
      { ...NONE, counting: 1, superseded: 2 },
      { ...NONE, superseded: 2 },
      { ...NONE, counting: 2 },
      { ...NONE, counting: 3, superseded: 2 },
    ]);
  });

  test('folds the instants of records to UTC days', async () => {
    const { ctx, device } = await aScene();
    const timestamps = ['2026-03-09T00:00:00Z', '2026-03-02T05:00:00+05:00'];
    const records = timestamps.map((timestamp) => aRecord({ timestamp }));
    await submit(ctx, device, [], { records });

    expect(list(ctx).entries[0]).toMatchObject({
      days: 2,
      first_day: '2026-03-02',
      last_day: '2026-03-09',
    });
  });

  test('counts each operator of a page separately', async () => {
    const { ctx, send } = await aScene();
    const bob = await anEnrolledDevice(ctx, 'bob');
    await send(...bucketsOfDays(3, '2026-03-01'));
    await submit(ctx, bob, bucketsOfDays(2, '2026-03-02'));
    await send(...bucketsOfDays(1, '2026-03-01'));

    expect(list(ctx).entries.map(({ states }) => states.counting)).toEqual([1, 2, 2]);
  });

  test.each(['held', 'rejected', 'withdrawn'] as const)(
    'counts all records of a %s submission as such',
    async (state) => {
      const { ctx, send } = await aScene();
      const { log_index } = await send({}, { day: '2026-03-02' });
      ctx.store.submissions.setState(log_index, state);

      expect(list(ctx).entries[0]?.states).toEqual({ ...NONE, [state]: 2 });
    },
  );

  test('pages without gaps or repetitions, even if more submissions arrive', async () => {
    const { ctx, device } = await aScene();
    const all = [];
    for (const [at, bucket] of bucketsOfDays(7, '2026-03-01').entries()) {
      const { answer } = await submit(ctx, device, [{ ...bucket, input: at }]);
      all.unshift(answer.log_index);
    }
    const late = JSON.stringify(await device.seal(aPayload()));

    expect(pagesOf(ctx, { limit: '3' })).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    expect(pagesOf(ctx, { limit: '7' })).toEqual([all]);
    const { next_cursor } = list(ctx, { limit: '3' });
    await submitSnapshot(ctx, late);
    const rest = list(ctx, { limit: '3', cursor: String(next_cursor) });
    expect(rest.entries.map(({ log_index }) => log_index)).toEqual(all.slice(3, 6));
    expect(rest.total).toBe(8);
  });

  test("lists one operator's submissions, empty if there are none", async () => {
    const { ctx, send } = await aScene();
    const bob = await anEnrolledDevice(ctx, 'bob');
    await send({});
    await submit(ctx, bob, [aBucket()]);
    const last = await send({ day: '2026-03-02' });
    await anEnrolledDevice(ctx, 'idle');

    expect(list(ctx, { codename: 'ada' })).toMatchObject({
      total: 2,
      entries: [{ id: last.id }, { codename: 'ada' }],
    });
    expect(pagesOf(ctx, { codename: 'ada', limit: '1' })).toHaveLength(2);
    expect(list(ctx, { codename: 'idle' })).toEqual({ total: 0, entries: [], next_cursor: null });
  });

  test('omits self-reports on request', async () => {
    const { ctx, send } = await aScene();
    const byHand = await send({});
    const signed = await send({ day: '2026-03-02' });
    execute(ctx, `UPDATE submissions SET keyid = NULL WHERE id = '${byHand.id}'`);

    const trusts = (query: Record<string, string>) =>
      list(ctx, query).entries.map(({ trust }) => trust);

    expect(trusts({})).toEqual(['signed', 'self_reported']);
    expect(trusts({ codename: 'ada' })).toEqual(['signed', 'self_reported']);
    expect(list(ctx, { trust: 'signed' })).toMatchObject({
      total: 1,
      entries: [{ id: signed.id }],
    });
    expect(list(ctx, { trust: 'signed', codename: 'ada' })).toMatchObject({
      total: 1,
      entries: [{ id: signed.id }],
    });
  });

  test('throws not_found for an unknown codename, or one that is not in the log', async () => {
    const { ctx } = await aScene();
    anOperator(ctx, 'silent');

    expect(() => list(ctx, { codename: 'nobody' })).toThrow(refusal('not_found'));
    expect(() => list(ctx, { codename: 'silent' })).toThrow(refusal('not_found'));
  });

  test.each(['x', '0', '-1', '1.5', '1e3', ' 1', '9'.repeat(16), '1.2'])(
    'throws query_invalid for the cursor %j',
    async (cursor) => {
      const { ctx } = await aScene();

      expect(() => list(ctx, { cursor })).toThrow(refusal('query_invalid', '#/cursor'));
    },
  );
});

describe('readSubmission()', () => {
  test('adds the signing key and the program', async () => {
    const { ctx, device, send } = await aScene();
    const { id, submission_id } = await send({});

    const detail = readSubmission(ctx, id);

    expect(SubmissionDetail.parse(detail)).toEqual(detail);
    expect(detail).toEqual({
      ...list(ctx).entries[0],
      keyid: device.keyid,
      submission_id,
      collector: { name: 'opbench', version: '0.1.0' },
      covers: null,
      shared: { records: 0, tokens: 0, in_part: 0 },
    });
  });

  test('shows what another device reported too, on the submissions of both', async () => {
    const { ctx, send } = await aScene();
    const days = bucketsOfDays(3, '2026-03-01');
    const of = (from: number, to: number, output: number) => {
      return { output, fingerprint: fingerprintOfResponses(from, to) };
    };
    const first = await send(
      ...days,
      { ...of(0, 9, 9_000), day: '2026-03-04' },
      { model: 'other' },
    );
    const desktop = await anEnrolledDevice(ctx, 'ada');
    const second = await submit(ctx, desktop, [
      ...days.slice(1),
      aBucket({
        ...of(5, 13, 8_000),
        day: '2026-03-04',
        input: 0,
        cache_write: null,
        cache_read: null,
      }),
      aBucket({ day: '2026-03-09' }),
    ]);
    const third = await send({ day: '2026-03-08' });

    const half = 4_000;
    const shared = { records: 3, tokens: 2 * totalOf(aBucket()) + half, in_part: 1 };
    await readySubmission(ctx, first.id);
    expect(readSubmission(ctx, first.id).shared).toEqual(shared);
    expect(readSubmission(ctx, second.answer.id).shared).toEqual(shared);
    expect(readSubmission(ctx, third.id).shared).toEqual({ records: 0, tokens: 0, in_part: 0 });
    const { states } = readSubmission(ctx, second.answer.id);
    expect(states).toEqual({ ...NONE, counting: 2, superseded: 2 });
  });

  test('omits the other device once its submission is withdrawn', async () => {
    const { ctx, send } = await aScene();
    const first = await send({});
    const desktop = await anEnrolledDevice(ctx, 'ada');
    const { answer } = await submit(ctx, desktop, [aBucket()]);
    expect(readSubmission(ctx, first.id).shared.records).toBe(1);

    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, answer.id);

    for (const id of [first.id, answer.id]) {
      expect(readSubmission(ctx, id).shared).toEqual({ records: 0, tokens: 0, in_part: 0 });
    }
  });

  test('shows its current state', async () => {
    const { ctx, send } = await aScene();
    const first = await send({}, { day: '2026-03-02' });
    const second = await send({});
    expect(readSubmission(ctx, first.id).states).toEqual({ ...NONE, counting: 1, superseded: 1 });

    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, second.id);

    expect(readSubmission(ctx, first.id).states).toEqual({ ...NONE, counting: 2 });
    expect(readSubmission(ctx, second.id).states).toEqual({ ...NONE, withdrawn: 1 });
  });

  test('throws not_found for an unknown ID', async () => {
    const { ctx } = await aScene();

    expect(() => readSubmission(ctx, NOBODY)).toThrow(refusal('not_found'));
  });
});

describe('readSubmissionEnvelope()', () => {
  test('returns exactly the bytes in the log, as JSON', async () => {
    const { ctx, device } = await aScene();
    const bytes = Buffer.from(JSON.stringify(aPayload(), null, 3));
    const { payloadType, payload, signatures } = await device.seal(bytes);
    const sent = JSON.stringify({ signatures, payload, payloadType }, null, 2);
    const { answer } = await submitSnapshot(ctx, sent);

    const envelope = readSubmissionEnvelope(ctx, answer.id);

    const logged = ctx.store.log.at(answer.log_index)?.payload ?? [];
    expect(JSON.stringify(envelope)).toBe(Buffer.from(logged).toString());
    expect(getSubmissionEnvelope.reply.parse(envelope)).toEqual({
      payloadType,
      payload,
      signatures,
    });
  });

  test('throws not_found for an unknown ID, and after it is erased', async () => {
    const { ctx, send } = await aScene();
    const { id, log_index } = await send({});
    execute(
      ctx,
      `UPDATE log_entries SET salt = NULL, payload = NULL WHERE log_index = ${log_index}`,
    );

    expect(() => readSubmissionEnvelope(ctx, NOBODY)).toThrow(refusal('not_found'));
    expect(() => readSubmissionEnvelope(ctx, id)).toThrow(refusal('not_found'));
  });
});
