import { describe, expect, test } from 'vitest';
import { Log, LogQuery } from '#core/contract/log.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { GENESIS_HASH, entryHash, fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { LOG_HEAD_PAYLOAD_TYPE, type LogEntry } from '#core/schema/log.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { readLog } from '#server/public-log/log.ts';
import { readSubmissionEnvelope } from '#server/submission/submissions.ts';
import { NOW, aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const list = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLog(ctx, LogQuery.parse(query));

/** A board with 9 entries, of most kinds that exist. */
async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { answer } = await submit(ctx, device, [aBucket()]);
  await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket({ model: 'é' })]);
  await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, answer.id);
  return { ctx, id: answer.id, log_index: answer.log_index };
}

/** The hash of an entry, from the data in the API. */
function recomputed(ctx: TestContext, entry: LogEntry): string {
  const { log_index: index, kind, previous, received_at, salt, payload, submission } = entry;
  const text = submission ? JSON.stringify(readSubmissionEnvelope(ctx, submission)) : payload;
  const bytes = new TextEncoder().encode(text ?? '');
  const digest = payloadDigest(fromHex(salt ?? ''), bytes, sha256);
  return entryHash({ index, kind, previous, received_at }, digest, sha256);
}

describe('readLog()', () => {
  test('shows everything needed to recompute the chain', async () => {
    const { ctx } = await aScene();

    const log = list(ctx);

    expect(Log.parse(log)).toEqual(log);
    expect(log).toMatchObject({ total: 9, next_cursor: null, head: { log_index: 9 } });
    expect(log.entries.map((entry) => recomputed(ctx, entry))).toEqual(
      log.entries.map(({ entry_hash }) => entry_hash),
    );
    expect(log.entries.map(({ previous }) => previous)).toEqual([
      GENESIS_HASH,
      ...log.entries.slice(0, -1).map(({ entry_hash }) => entry_hash),
    ]);
    expect(log.head.entry_hash).toBe(log.entries.at(-1)?.entry_hash);
  });

  test("shows every payload except a snapshot's, which is the submission's envelope", async () => {
    const { ctx, id, log_index } = await aScene();

    const { entries } = list(ctx);

    expect(entries.map(({ kind }) => kind)).toEqual([
      'board-key',
      'ruleset',
      'visibility',
      'enroll',
      'snapshot',
      'visibility',
      'enroll',
      'snapshot',
      'withdraw',
    ]);
    expect(entries[4]).toMatchObject({
      log_index,
      received_at: NOW,
      payload: null,
      submission: id,
    });
    expect(entries[8]).toMatchObject({ submission: null });
    expect(JSON.parse(entries[8]?.payload ?? '')).toMatchObject({ submission: id, log_index });
  });

  test("signs the head with the board's key, once for each", async () => {
    const { ctx } = await aScene();

    const { head } = list(ctx);

    const opened = takeApart(head.signature, LOG_HEAD_PAYLOAD_TYPE);
    const boardKey = Buffer.from(ctx.boardKey.public_key, 'base64url');
    expect(opened.keyid).toBe(ctx.boardKey.keyid);
    expect(verifyEd25519(opened.signed, opened.signature, boardKey)).toBe(true);
    expect(JSON.parse(Buffer.from(opened.payload).toString())).toEqual({
      log_index: 9,
      entry_hash: head.entry_hash,
    });
    expect(list(ctx, { limit: '1' }).head).toBe(head);
    await anEnrolledDevice(ctx, 'ada');
    expect(list(ctx).head).toMatchObject({ log_index: 10 });
    expect(list(ctx).head.signature).not.toEqual(head.signature);
  });

  test('continues after an index, page by page', async () => {
    const { ctx } = await aScene();
    const places = (query: Record<string, string>) => {
      const { entries, next_cursor, total } = list(ctx, query);
      return [entries.map(({ log_index }) => log_index), next_cursor, total];
    };

    expect(places({ since: '6' })).toEqual([[7, 8, 9], null, 3]);
    expect(places({ since: '3', limit: '3' })).toEqual([[4, 5, 6], '6', 6]);
    expect(places({ since: '3', limit: '3', cursor: '6' })).toEqual([[7, 8, 9], null, 6]);
    expect(places({ since: '6', limit: '3', cursor: '3' })).toEqual([[7, 8, 9], null, 3]);
    expect(places({ since: '9' })).toEqual([[], null, 0]);
    expect(places({ since: '999999' })).toEqual([[], null, 0]);
  });

  test('keeps the chain of erased entries, and shows no more of them', async () => {
    const { ctx, log_index } = await aScene();
    execute(
      ctx,
      `UPDATE log_entries SET salt = NULL, payload = NULL WHERE operator_id = 1;
       PRAGMA foreign_keys = ON;
       DELETE FROM operators WHERE id = 1;`,
    );

    const { entries } = list(ctx);

    expect(entries[log_index - 1]).toMatchObject({ salt: null, payload: null, submission: null });
    expect(entries[2]).toMatchObject({ kind: 'visibility', salt: null, payload: null });
    const {
      log_index: index,
      kind,
      previous,
      received_at,
      payload_digest,
    } = entries[2] as LogEntry;
    const head = { index, kind, previous, received_at };
    expect(entryHash(head, payload_digest, sha256)).toBe(entries[2]?.entry_hash);
  });

  test.each(['x', '0', '-1', '1.5', '1'.repeat(16)])(
    'throws query_invalid for the cursor %j',
    (cursor) => {
      expect(() => list(testContext(), { cursor })).toThrow(refusal('query_invalid', '#/cursor'));
    },
  );
});
