import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atEachBoard } from '#agent/board/each-board.ts';
import { EXIT, Failure } from '#agent/failure.ts';
import { checkLog } from '#agent/log-check/check-log.ts';
import { LogAlarm, LogContradiction } from '#agent/log-check/log-alarm.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { sha256 } from '#server/process/crypto.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import { aDeviceWithLog } from '#tests/support/tlog/device-of-log.ts';
import { LogView, changedAt, entriesOf, reordered } from '#tests/support/tlog/log-view.ts';

type Made = Awaited<ReturnType<typeof aDeviceWithLog>>;

const DAY_MS = 24 * 60 * 60 * 1000;

const check = ({ device, identity }: Made) => checkLog(device, identity);

const logRequests = ({ asked }: Made) => asked.filter((url) => /log\/|keys\.json/.test(url));

function stateOf({ kept }: Made): string {
  return readFileSync(join(kept.folder, 'log.json'), 'utf8');
}

describe('checkLog()', () => {
  test('proves each submission once, with one request for the log and one for each proof', async () => {
    const made = await aDeviceWithLog();
    const receipts = [await made.send(), await made.send()];
    made.asked.length = 0;

    const first = await check(made);
    const asked = logRequests(made).length;
    made.asked.length = 0;
    const second = await check(made);

    expect(first).toMatchObject({ origin: made.key.origin, proven: 2, waiting: 0, note: null });
    expect(asked).toBe(3);
    expect(logRequests(made)).toHaveLength(1);
    expect(second).toEqual(first);
    for (const { log_index } of receipts) {
      const path = join(made.kept.folder, 'proofs', `${log_index}.tlog-proof`);
      expect(readFileSync(path, 'utf8')).toContain(`index ${log_index - 1}\n`);
    }
  });

  test('trusts the key at enrollment, and keeps it', async () => {
    const made = await aDeviceWithLog();
    expect(made.kept.read()?.keys.map(({ vkey }) => vkey)).toEqual([made.key.vkey]);
    await check(made);
    made.asked.length = 0;
    await check(made);
    expect(made.asked.some((url) => url.endsWith('keys.json'))).toBe(false);
  });

  test('leaves entries that the log does not show yet to a later run, and says so after a day', async () => {
    const made = await aDeviceWithLog();
    const before = made.board.log();
    await made.send();
    made.board.log = () => before;

    expect(await check(made)).toMatchObject({ proven: 0, waiting: 1 });
    made.ctx.clock.nowMs += DAY_MS + 1;
    const note = 'the public log lacks 1 submission older than a day';
    expect(await check(made)).toMatchObject({ proven: 0, waiting: 1, note });
  });

  test('accepts a proof for a newer tree once it extends the known one', async () => {
    const made = await aDeviceWithLog();
    await made.send();
    const whole = made.board.log();
    let asked = 0;
    made.board.log = () => {
      asked += 1;
      return asked === 1 ? whole : new LogView(entriesOf(made.ctx.store), made.key);
    };
    growLog(made.ctx, 3);

    expect(await check(made)).toMatchObject({ proven: 1, size: whole.entries.length + 3 });
  });

  test.each([
    ['rewound', 'log_rewound', (log: LogView) => log.with((entries) => entries.slice(0, -1))],
    ['of the same size, but other', 'log_split', (log: LogView) => log.with(changedAt(1))],
    ['reordered', 'log_split', (log: LogView) => log.with(reordered(0, 1))],
    [
      'longer, but with an other beginning',
      'log_split',
      (log: LogView) => log.with((entries) => [...changedAt(1)(entries), Buffer.from('more')]),
    ],
  ])('fails for a log that is %s', async (_, code, lie) => {
    const made = await aDeviceWithLog();
    await made.send();
    await check(made);
    const [state, honest] = [stateOf(made), made.board.log()];
    made.board.log = () => lie(honest);

    await expect(check(made)).rejects.toMatchObject({ code, exitCode: 3 });
    await expect(check(made)).rejects.toMatchObject({ hint: /Evidence: .*evidence/ });

    expect(stateOf(made)).toBe(state);
    const [folder = '', ...more] = made.kept.evidence();
    expect(more).toEqual([]);
    expect(readFileSync(join(folder, 'before.checkpoint'), 'utf8')).toBe(honest.checkpoint);
    expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toContain(lie(honest).checkpoint);
    made.board.log = () => honest;
    expect(await check(made)).toMatchObject({ proven: 1, evidence: [folder] });
  });

  test.each([
    ['another entry', (log: LogView, at: number) => log.with(changedAt(at))],
    ['other places', (log: LogView, at: number) => log.with(reordered(at, 0))],
  ])('fails if the log has %s instead of a sent one', async (_, lie) => {
    const made = await aDeviceWithLog();
    const { log_index } = await made.send();
    const honest = made.board.log();
    made.board.log = () => lie(honest, log_index - 1);

    const failed = await check(made).catch((error: unknown) => error);

    expect(failed).toMatchObject({ code: 'log_entry_missing', exitCode: 3 });
    expect(String(failed)).toContain(`entry ${log_index}`);
    const [folder = ''] = made.kept.evidence();
    expect(readdirSync(folder).sort()).toEqual([
      `answer-${log_index}.txt`,
      'before.checkpoint',
      'receipts.ndjson',
    ]);
  });

  test('fails if a proof is for another tree of the same size', async () => {
    const made = await aDeviceWithLog();
    const { log_index } = await made.send();
    const honest = made.board.log();
    const other = honest.with(changedAt(0));
    made.board.change = (path, answer) =>
      path.endsWith('/proof') ? new Response(other.proof(log_index)) : answer;

    await expect(check(made)).rejects.toMatchObject({ code: 'log_split' });
  });

  test.each([
    ['refuses', () => new Response('{}', { status: 503 })],
    ['limits', () => new Response('{}', { status: 429 })],
    [
      'does not answer',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('does not fail if the board %s', async (_, answer) => {
    const made = await aDeviceWithLog();
    await made.send();
    await check(made);
    made.board.change = (path, whole) => (path.includes('/log/') ? answer() : whole);

    expect(await check(made)).toMatchObject({ proven: 1, note: /could not be checked/ });
  });

  test('checks nothing on an older board, and begins when it has a log key', async () => {
    const made = await aDeviceWithLog();
    made.kept.setAside('1');
    made.board.change = async (path, answer) => {
      if (path.includes('/log/')) return new Response('{}', { status: 404 });
      if (!path.endsWith('keys.json')) return answer;
      const { keys } = (await answer.json()) as { keys: unknown };
      return Response.json({ keys });
    };
    await made.send();

    expect(await check(made)).toBeNull();
    made.board.change = (_path, answer) => answer;
    expect(await check(made)).toMatchObject({ proven: 1 });
  });

  test('asks for at most 40 proofs in a run', async () => {
    const made = await aDeviceWithLog();
    const { log_index: first } = await made.send();
    growLog(made.ctx, 50);
    const receipts = made.board.log().entries.slice(first);
    const path = join(made.kept.folder, '..', 'receipts.ndjson');
    const lines = receipts.map((entry, at) => {
      const place = { log_index: first + 1 + at, entry_hash: hex(sha256(entry)) };
      return JSON.stringify({ ...place, receipt: { signatures: [made.ctx.boardKey] } });
    });
    writeFileSync(path, `${lines.join('\n')}\n`);

    expect(await check(made)).toMatchObject({ proven: 40, waiting: 10 });
    expect(await check(made)).toMatchObject({ proven: 50, waiting: 0 });
  });
});

describe('atEachBoard()', () => {
  test('ends with exit code 3 after an alarm, even if other boards succeed', async () => {
    const { identity } = await aDeviceWithLog();
    const other = { ...identity, board: 'https://other.example.org' };
    const found = { sound: [identity, other], damaged: [] };
    const contradiction = new LogContradiction('log_split', 'it lies', {});
    const endsWith = async (failure: Failure) => {
      const { exitCode } = await atEachBoard(
        found,
        () => undefined,
        async ({ board }) => {
          if (board === other.board) throw failure;
        },
      );
      return exitCode;
    };

    expect(await endsWith(new LogAlarm(other.board, contradiction, null))).toBe(EXIT.refused);
    expect(await endsWith(new Failure(EXIT.refused, 'rejected'))).toBe(EXIT.partial);
  });
});
