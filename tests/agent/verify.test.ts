import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '#agent/client.ts';
import { COMMANDS } from '#agent/commands.ts';
import type { Device } from '#agent/device.ts';
import { enroll } from '#agent/loop/enroll.ts';
import { outboxOf, submit as submitTo } from '#agent/loop/submit.ts';
import { Patience } from '#agent/verify/patience.ts';
import type { Log } from '#core/contract/log.ts';
import { createEnrollmentCode } from '#server/commands/create-enrollment-code.ts';
import { readBoardKeys } from '#server/queries/board-keys.ts';
import { readLog } from '#server/queries/log.ts';
import { Failure } from '#agent/failure.ts';
import { aDeviceOf, anOutput, fetchFrom } from '../support/agent.ts';
import { BASE_URL, aBucket, bucketsOfDays } from '../support/builders.ts';
import { anOperator, publishAndKeep, testContext } from '../support/context.ts';
import { aFolder } from '../support/log-folder.ts';
import { exportOf, forge } from '../support/public-log.ts';

/** What a board answers besides what devices ask: its public log, the live one, and its keys. */
interface Wire {
  file: Uint8Array;
  change: (path: string, answer: unknown) => unknown;
}

/** A board with one enrolled device that has submitted, the wire to it, and the file of that moment. */
async function aBoard() {
  const ctx = testContext();
  const wire: Wire = { file: new Uint8Array(), change: (_, answer) => answer };
  const others = fetchFrom(ctx);
  const fetch: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/log.ndjson.gz') return new Response(wire.file as BodyInit);
    const since = Number(searchParams.get('since'));
    if (pathname === '/api/v1/log') {
      return Response.json(
        wire.change(pathname, readLog(ctx, { since, limit: 3, format: 'json' })),
      );
    }
    if (!pathname.endsWith('keys.json')) return others(url, init);
    return Response.json(wire.change(pathname, readBoardKeys(ctx)));
  };
  const device = aDeviceOf(ctx, fetch);
  const { code } = createEnrollmentCode(ctx, anOperator(ctx, 'ada').id);
  const identity = await enroll(device, { code, board: BASE_URL, label: 'Laptop' });
  const send = (day: string) => submitTo(device, identity, [aBucket({ day })]);
  await submitTo(device, identity, bucketsOfDays(8, '2026-03-01'));
  publishAndKeep(ctx);
  wire.file = gzipSync(exportOf(ctx).join(''));
  return { ctx, device, identity, send, wire };
}

async function verify(device: Device, source: string) {
  const output = anOutput();
  const exitCode = await COMMANDS['verify']?.run(device, [source, '--json'], output);
  const report = JSON.parse(output.results.join('')) as Record<string, unknown>;
  return { exitCode, report, notes: output.notes };
}

function aFile(content: Uint8Array | string): string {
  const path = join(aFolder(), 'log');
  writeFileSync(path, content);
  return path;
}

describe('opbench verify URL', () => {
  test('checks the file, the live log behind it, and the own receipts in both', async () => {
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

  const changed = <Answer>(of: string, change: (answer: Answer) => void): Wire['change'] => {
    return (path, answer) => {
      if (path === of) change(answer as Answer);
      return answer;
    };
  };
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
      'an end that nobody signed',
      logChanged(({ head: { signature } }) => {
        const [signed] = signature.signatures;
        if (signed) signed.sig = `${'A'.repeat(86)}==`;
      }),
    ],
    ['an end before the file', logChanged((log) => (log.head.log_index = 2))],
    ['an end that comes never', logChanged((log) => (log.head.log_index = 99))],
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

  test('finds that the log has been cut, though the board signed its end once', async () => {
    const { ctx, device, send, wire } = await aBoard();
    const { head } = readLog(ctx, { since: 2, limit: 3, format: 'json' });
    await send('2026-03-09');
    wire.file = gzipSync(exportOf(ctx).join(''));
    wire.change = logChanged((log) => (log.head = head));

    const { report } = await verify(device, BASE_URL);
    expect(report['findings']).toMatchObject([{ code: 'live_log' }]);
  });

  test('finds that the board lost what this device has a receipt for', async () => {
    const { device, identity } = await aBoard();
    const receipt = { log_index: 77, entry_hash: 'f'.repeat(64), received_at: '2026-03-10' };
    outboxOf(device, identity).confirm('lost', [], receipt);

    const { exitCode, report } = await verify(device, BASE_URL);
    expect(report['findings']).toMatchObject([{ code: 'own_receipt', log_index: 77 }]);
    expect(exitCode).toBe(3);
  });

  test('finds that the board has another key than at the enrolment', async () => {
    const { device, identity } = await aBoard();
    const other = await aBoard();
    device.keystore.save({ ...identity, board_public_key: other.ctx.boardKey.public_key });

    expect((await verify(device, BASE_URL)).report['findings']).toMatchObject([
      { code: 'own_receipt' },
    ]);
  });

  test.each([
    ['a board that has no public log', 404, 4],
    ['a board that is down', 500, 4],
  ])('of %s ends with its exit code', async (_, status, exitCode) => {
    const device = aDeviceOf(testContext(), async () => new Response('', { status }));
    await expect(verify(device, BASE_URL)).rejects.toMatchObject({ exitCode });
  });
});

describe('opbench verify FILE', () => {
  async function files() {
    const { ctx, device } = await aBoard();
    return { device, lines: exportOf(ctx), text: exportOf(ctx).join('') };
  }

  test('reads it packed or not', async () => {
    const { device, text } = await files();
    for (const content of [text, gzipSync(text)]) {
      expect((await verify(device, aFile(content))).report).toMatchObject({
        sound: true,
        live: null,
        own_receipts: 1,
      });
    }
  });

  test.each([
    ['nothing', '', 'file_incomplete'],
    ['a line without end', '{"line":"header"', 'line_unreadable'],
    ['bytes that are no text', Buffer.from([0xff, 10]), 'line_unreadable'],
    ['a line that would fill the memory', Buffer.alloc(20 * 1024 * 1024, 'x'), 'line_unreadable'],
    ['packed data that breaks off', gzipSync('x'.repeat(99)).subarray(0, 30), 'line_unreadable'],
  ])('finds %s', async (_, content, code) => {
    const device = aDeviceOf(testContext());
    const { exitCode, report } = await verify(device, aFile(content));
    expect(report['findings']).toContainEqual(expect.objectContaining({ code }));
    expect(exitCode).toBe(3);
  });

  test('lets no foreign text steer the terminal', async () => {
    const { device, lines } = await files();
    const header = forge(lines[0] as string, (line) => (line['base_url'] = 'x\u001b[2J'));
    const output = anOutput();
    const args = [aFile(lines.with(0, header).join(''))];
    await COMMANDS['verify']?.run(device, args, output);

    expect(output.results.join('')).toContain('x[2J, log up to entry');
    expect(output.results.join('')).toContain('Not sound');
  });

  test('ends with 1 where there is none', async () => {
    const device = aDeviceOf(testContext());
    await expect(verify(device, '/nowhere/log')).rejects.toMatchObject({ exitCode: 1 });
  });
});

describe('Patience', () => {
  const busy = (seconds: number) => {
    const failure = new Failure(4, 'busy');
    failure.retryAfterSeconds = seconds;
    return failure;
  };

  test('waits as long as the board says, and no longer in all than is bearable', async () => {
    const waited: number[] = [];
    const patience = new Patience(
      () => undefined,
      async (ms) => void waited.push(ms),
    );
    const answers = [busy(2), busy(60)];
    const answer = await patience.ask(async () => {
      const failure = answers.shift();
      if (failure) throw failure;
      return 'done';
    });

    expect([answer, waited]).toEqual(['done', [2_000, 60_000]]);
    await expect(patience.ask(() => Promise.reject(busy(600)))).rejects.toThrow('too long');
    await expect(patience.ask(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
