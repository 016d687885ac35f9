import { describe, expect, test } from 'vitest';
import type { LocalDevice } from '#agent/device.ts';
import { outboxOf, submit } from '#agent/loop/submit.ts';
import type { Fetch } from '#agent/board/client.ts';
import {
  aDeviceOf,
  anOutput,
  changing,
  fetchFrom,
  runCommand,
  sendable,
} from '#tests/support/agent/agent.ts';
import { BASE_URL, MINUTE_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';

const DAYS = bucketsOfDays(3, '2026-03-04');

/** A device that sent one submission with two days and one with a third day. */
async function aScene(wire: (ctx: TestContext) => Fetch = fetchFrom) {
  const ctx = testContext();
  const device = aDeviceOf(ctx, wire(ctx));
  const identity = await enrolled(ctx, device);
  const send = async (days = DAYS, withWithdrawn = false) => {
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    ctx.clock.nowMs += MINUTE_MS;
    const sent = await submit(device, identity, sendable(days), { note, withWithdrawn });
    return { ...sent, notes };
  };
  const ids = [];
  for (const days of [DAYS.slice(0, 2), DAYS.slice(2)]) {
    ids.push((await send(days)).receipts.map(({ id }) => String(id)).join(' '));
  }
  return { ctx, device, identity, send, ids: ids as [string, string] };
}

async function run(device: LocalDevice, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, 'withdraw', args, output);
  return { exitCode, text: output.results.join('\n'), notes: output.notes.join('\n') };
}

const counting = (ctx: TestContext) =>
  query<{ day: string }>(ctx, 'SELECT day FROM buckets WHERE counts = 1 ORDER BY day').map(
    ({ day }) => day,
  );

describe('opbench withdraw', () => {
  test('withdraws a submission of this device, and undoes that', async () => {
    const { ctx, device, ids } = await aScene();

    const withdrawn = await run(device, ids[0]);
    expect(withdrawn).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/^Withdrawn: 2 daily counts \(4 Mar to 5 Mar\)\./),
      notes: `To undo this: opbench withdraw ${ids[0]} --undo`,
    });
    expect(counting(ctx)).toEqual(['2026-03-06']);

    const restored = await run(device, 'last', '--undo');
    expect(restored.text).toMatch(
      /^Restored: 2 daily counts \(4 Mar to 5 Mar\)\. They count again/,
    );
    expect(counting(ctx)).toEqual(DAYS.map(({ day }) => day));
  });

  test('accepts "last" for the last submission of this device', async () => {
    const { ctx, device, ids } = await aScene();

    const { text } = await run(device, 'last', '--json');

    expect(JSON.parse(text)).toMatchObject({
      board: BASE_URL,
      submission: { id: ids[1], records: 1, first_day: '2026-03-06', states: { withdrawn: 1 } },
    });
    expect(counting(ctx)).toEqual(['2026-03-04', '2026-03-05']);
  });

  test('lists the last submissions of this device if none is named', async () => {
    const { device, ids } = await aScene();
    await run(device, ids[0]);

    const { exitCode, text, notes } = await run(device);
    const { text: json } = await run(device, '--json');

    expect(exitCode).toBe(1);
    expect(text.split('\n')).toEqual([
      expect.stringContaining(BASE_URL),
      '  received              counts  state      ID',
      expect.stringMatching(`^  2026-\\S+ \\S+ UTC       1  accepted   ${ids[1]}$`),
      expect.stringMatching(`^  2026-\\S+ \\S+ UTC       2  withdrawn  ${ids[0]}$`),
    ]);
    expect(notes).toContain('opbench withdraw ID --undo');
    expect(JSON.parse(json)).toMatchObject({
      board: BASE_URL,
      submissions: [
        { id: ids[1], state: 'accepted' },
        { id: ids[0], state: 'withdrawn', records: 2 },
      ],
    });
  });

  test('rejects submissions of other devices, invalid IDs and unknown IDs', async () => {
    const { ctx, device } = await aScene();
    const other = aDeviceOf(ctx);
    const identity = await enrolled(ctx, other);
    const { receipts } = await submit(other, identity, sendable(bucketsOfDays(1, '2026-03-01')));
    const hint = 'To list the submissions of this device: opbench withdraw';

    await expect(run(device, String(receipts[0]?.['id']))).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('Another device of your account sent') as unknown,
      hint,
    });
    await expect(run(device, '019a0000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('You have no submission with this ID') as unknown,
      hint,
    });
    await expect(run(device, 'yesterday')).rejects.toMatchObject({
      exitCode: 1,
      message: '"yesterday" is not a submission ID',
    });
    await expect(run(device, 'last', '--undo')).rejects.toMatchObject({
      exitCode: 1,
      message: `This device has no withdrawn submission on ${BASE_URL}`,
    });
  });

  test('says that an older board does not support it', async () => {
    const { device, ids } = await aScene((ctx) =>
      changing(ctx, '/api/v1/me', async (answer) => {
        const me = (await answer.json()) as Record<string, unknown>;
        return Response.json({ ...me, withdrawn: undefined });
      }),
    );

    await expect(run(device, ids[0])).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('does not support withdrawing'),
      hint: 'Ask its admin to upgrade to version 0.10 or later.',
    });
  });
});

describe('submit', () => {
  test('says which days are withdrawn, and sends them again only with --withdrawn', async () => {
    const { ctx, device, send, ids } = await aScene();
    await run(device, ids[0]);

    const plain = await send();
    expect(plain).toMatchObject({ snapshots: 0 });
    expect(plain.notes).toEqual([
      expect.stringMatching(
        /2 days \(4 Mar and 5 Mar\) are withdrawn.*opbench submit --withdrawn$/,
      ),
    ]);
    expect(counting(ctx)).toEqual(['2026-03-06']);

    expect(await send(DAYS, true)).toMatchObject({ snapshots: 1, records: 2, notes: [] });
    expect(counting(ctx)).toEqual(DAYS.map(({ day }) => day));
    expect(await send(DAYS, true)).toMatchObject({ snapshots: 0, notes: [] });
    expect(await send()).toMatchObject({ snapshots: 0, notes: [] });
  });

  test('sends nothing twice after a withdrawal was undone, before or after the days were sent again', async () => {
    const { ctx, device, send, ids } = await aScene();
    await run(device, ids[0]);
    await run(device, ids[0], '--undo');
    expect(await send(DAYS, true)).toMatchObject({ snapshots: 0, notes: [] });

    await run(device, ids[0]);
    await send(DAYS, true);
    await run(device, ids[0], '--undo');
    expect(await send(DAYS, true)).toMatchObject({ snapshots: 0, notes: [] });
    expect(counting(ctx)).toEqual(DAYS.map(({ day }) => day));
  });

  test('omits days that another submission also reports', async () => {
    const { device, send, ids } = await aScene();
    const grown = DAYS.map((bucket) => ({ ...bucket, output: bucket.output + 1 }));
    await send(grown.slice(0, 1));
    await run(device, ids[0]);

    expect((await send(grown.slice(0, 1))).notes).toEqual([
      expect.stringContaining('1 day (5 Mar) is withdrawn'),
    ]);
  });

  test('lists days with smaller counts', async () => {
    const { device, identity, send } = await aScene();
    const grown = DAYS.map((bucket) => ({ ...bucket, output: bucket.output + 1 }));
    await send(grown.slice(0, 1));
    await run(device, 'last');

    expect((await send(grown.slice(0, 1))).notes).toEqual([
      expect.stringContaining('1 day (4 Mar) is withdrawn'),
    ]);
    await send(grown.slice(0, 1), true);
    expect([...outboxOf(device, identity).sent()]).toHaveLength(3);
  });

  test('lists and sends no days if the board cannot list them', async () => {
    let isLost = false;
    const { ctx, device, send, ids } = await aScene((of) => (url, init) => {
      return isLost && url.includes('/counts')
        ? Promise.reject(new TypeError('fetch failed'))
        : fetchFrom(of)(url, init);
    });
    await run(device, ids[0]);
    isLost = true;

    expect(await send()).toMatchObject({ snapshots: 0, notes: [] });
    await expect(send(DAYS, true)).rejects.toMatchObject({ exitCode: 4 });
    const status = anOutput();
    await runCommand(device, 'status', [], status);

    expect(status.results.join('\n')).not.toContain('withdrawn');
    expect(counting(ctx)).toEqual(['2026-03-06']);
  });
});
