import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outboxOf } from '#agent/loop/submit.ts';
import { RetryingClient } from '#agent/verify/live-log.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { Log } from '#core/contract/log.ts';
import { readLog } from '#server/public-log/log.ts';
import { Failure } from '#agent/failure.ts';
import { aDeviceOf } from '#tests/support/agent/agent.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { aBoard, changed, verify } from '#tests/support/board/verify.ts';

describe('opbench verify URL', () => {
  test('checks the file, the live log after it, and its own receipts in both', async () => {
    const { device, send, ctx } = await aBoard();
    // More than a page of the live log.
    for (const day of ['2026-02-01', '2026-02-02', '2026-03-09', '2026-03-10']) await send(day);

    const { exitCode, report } = await verify(device, BASE_URL);

    expect(report).toMatchObject({
      sound: true,
      findings: [],
      log_index: 5,
      live: { log_index: ctx.store.log.head()?.index },
      own_receipts: 5,
      boards: [{ extent: 'fully' }],
    });
    expect(exitCode).toBe(0);
  });

  const logChanged = (change: (log: Log) => void) => changed('/api/v1/log', change);

  test.each([
    [
      'another history',
      logChanged(({ entries: [entry] }) => {
        if (entry) entry.previous = 'f'.repeat(64);
      }),
    ],
    ['another end', logChanged((log) => (log.head.entry_hash = 'f'.repeat(64)))],
    [
      'an unsigned end',
      logChanged(({ head: { signature } }) => {
        const [signed] = signature.signatures;
        if (signed) signed.sig = `${'A'.repeat(86)}==`;
      }),
    ],
    ['an end before the file', logChanged((log) => (log.head.log_index = 2))],
    ['an end that is never reached', logChanged((log) => (log.head.log_index = 99))],
    [
      'another key',
      changed<{ keys: { keyid: string }[] }>('/.well-known/opbench-keys.json', ({ keys }) => {
        if (keys[0]) keys[0].keyid = `SHA256:${'A'.repeat(43)}`;
      }),
    ],
  ])('finds %s', async (_, change) => {
    const { device, send, wire } = await aBoard();
    await send('2026-03-09');
    const sound = await verify(device, BASE_URL);
    wire.change = change;
    const { exitCode, report } = await verify(device, BASE_URL);

    expect(sound.exitCode).toBe(0);
    expect(report['findings']).toContainEqual(expect.objectContaining({ code: 'live_log' }));
    expect(exitCode).toBe(3);
  });

  test('finds that the log was truncated, although the board had signed its end', async () => {
    const { ctx, device, send, wire } = await aBoard();
    const { head } = readLog(ctx, { since: 2, limit: 3, format: 'json' });
    await send('2026-03-09');
    wire.file = gzipSync(exportOf(ctx).join(''));
    wire.change = logChanged((log) => (log.head = head));

    const { report } = await verify(device, BASE_URL);
    expect(report['findings']).toMatchObject([{ code: 'live_log' }]);
  });

  test('finds that the board lost an entry of a receipt', async () => {
    const { device, identity } = await aBoard();
    const receipt = { log_index: 77, entry_hash: 'f'.repeat(64), received_at: '2026-03-10' };
    outboxOf(device, identity).confirm('lost', { correction: null, buckets: [] }, receipt);

    const { exitCode, report } = await verify(device, BASE_URL);
    expect(report['findings']).toMatchObject([{ code: 'own_receipt', log_index: 77 }]);
    expect(exitCode).toBe(3);
  });

  test('finds that the board has another key than at the enrollment', async () => {
    const { device, identity } = await aBoard();
    const other = await aBoard();
    device.keystore.save({ ...identity, board_public_key: other.ctx.boardKey.public_key });

    expect((await verify(device, BASE_URL)).report['findings']).toMatchObject([
      { code: 'own_receipt' },
    ]);
  });

  describe('checks the boards that readers see', () => {
    const onBoards = (change: (answer: Leaderboard, isEarlier: boolean) => void) =>
      changed<Leaderboard>('/api/v1/leaderboard', (answer) => {
        change(answer, answer.as_of === '2026-03-10');
      });

    /** Two boards with four operators, on two pages each. */
    async function aShownBoard() {
      const board = await aBoard();
      for (const [index, codename] of ['bob', 'carol', 'dave'].entries()) {
        const sender = await anEnrolledDevice(board.ctx, codename);
        await submit(board.ctx, sender, bucketsOfDays(8, '2026-03-01', { input: 2000 + index }));
      }
      publishAndKeep(board.ctx);
      board.ctx.clock.nowMs += 86_400_000;
      publishAndKeep(board.ctx);
      board.wire.file = gzipSync(exportOf(board.ctx).join(''));
      return board;
    }

    test('on all pages of the current board and of the newest day', async () => {
      const { device } = await aShownBoard();
      const { exitCode, report } = await verify(device, BASE_URL);

      expect(report).toMatchObject({
        findings: [],
        live: {
          boards: [
            { as_of: '2026-03-11', kept: 'current', rows: 4 },
            { as_of: '2026-03-10', kept: 'daily', rows: 4 },
          ],
        },
      });
      expect(exitCode).toBe(0);
    });

    type Row = Leaderboard['entries'][number];
    const onLast = (change: (row: Row) => void) =>
      onBoards(({ entries, next_cursor }) => {
        const row = entries.at(-1);
        if (next_cursor === null && row) change(row);
      });
    test.each([
      ['rank', onLast((row) => (row.rank = 2))],
      ['value', onLast((row) => (row.metrics.yield = 5))],
      ['interval', onLast((row) => (row.interval = [1, 2]))],
      ['name', onLast((row) => (row.codename = 'eve'))],
    ])('and finds another %s', async (_, change) => {
      const { device, wire } = await aShownBoard();
      wire.change = change;
      const { exitCode, report } = await verify(device, BASE_URL);
      const found = report['findings'] as { code: string; as_of: string }[];

      expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['live_board']));
      expect(new Set(found.map(({ as_of }) => as_of))).toEqual(
        new Set(['2026-03-11', '2026-03-10']),
      );
      expect(exitCode).toBe(3);
    });

    test('and says that a board was updated since', async () => {
      const { ctx, device, send } = await aShownBoard();
      await send('2026-03-09');
      publishAndKeep(ctx);
      const { exitCode, report } = await verify(device, BASE_URL);

      expect(report).toMatchObject({ live: { boards: [{ rows: null }, { rows: 4 }] } });
      expect(report['notes']).toMatchObject([expect.stringContaining('was not compared')]);
      expect(exitCode).toBe(0);
    });
  });

  test('exits with 4 without a public log', async () => {
    const { device, wire } = await aBoard();
    wire.file = Buffer.from('<!doctype html>');
    await expect(verify(device, BASE_URL)).rejects.toMatchObject({ exitCode: 4 });
  });

  test.each([
    ['a board that has no public log', 404, 4],
    ['a board that is down', 500, 4],
  ])('of %s exits with its code', async (_, status, exitCode) => {
    const device = aDeviceOf(testContext(), async () => new Response('', { status }));
    await expect(verify(device, BASE_URL)).rejects.toMatchObject({ exitCode });
  });
});

describe('RetryingClient', () => {
  const busy = (seconds: number) => {
    const failure = new Failure(4, 'busy');
    failure.retryAfterSeconds = seconds;
    return failure;
  };

  test('waits as long as the board says, up to a total limit', async () => {
    const waited: number[] = [];
    const retrying = new RetryingClient(
      () => undefined,
      async (ms) => void waited.push(ms),
    );
    const answers = [busy(2), busy(60)];
    const answer = await retrying.ask(async () => {
      const failure = answers.shift();
      if (failure) throw failure;
      return 'done';
    });

    expect([answer, waited]).toEqual(['done', [2_000, 60_000]]);
    await expect(retrying.ask(() => Promise.reject(busy(600)))).rejects.toThrow('too long');
    await expect(retrying.ask(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
