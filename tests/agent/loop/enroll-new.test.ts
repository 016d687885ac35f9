import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '#agent/board/client.ts';
import { fetchFrom } from '#tests/support/agent/agent.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import {
  aMachine,
  cleanUp,
  countedOutput,
  enrollMachine,
  respond,
  submitFrom,
} from '#tests/support/agent/machines.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

/** A device that has sent one response of 20,000 tokens. */
async function aSender(ctx = testContext()) {
  const machine = aMachine(ctx);
  respond(ctx, machine, 'a', 1000, 20_000);
  await enrollMachine(ctx, machine);
  await submitFrom(ctx, machine);
  return { ctx, machine };
}

describe('enrollKnown() if other devices or accounts have the same days', () => {
  test('counts for a second account what was not sent to the first', async () => {
    const { ctx, machine } = await aSender();
    respond(ctx, machine, 'unsent', 20, 80);

    const { isNew, notes } = await enrollMachine(ctx, machine, { codename: 'bob' });
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    expect(isNew).toBe(true);
    expect(notes).toEqual([expect.stringContaining('account ada stay there')]);
    expect([countedOutput(ctx, 'ada'), countedOutput(ctx, 'bob')]).toEqual([20_000, 480]);
  });

  test('leaves sent counts to the first account, even on a board that lists no counts', async () => {
    const { ctx, machine } = await aSender();
    const old: Fetch = (url, init) => {
      if (!/\/known$|\/counts/.test(url)) return fetchFrom(ctx)(url, init);
      const problem = { code: 'not_found', detail: 'No such address' };
      return Promise.resolve(Response.json(problem, { status: 404 }));
    };
    const before = { ...machine, device: aDeviceLike(machine.device, old) };
    respond(ctx, machine, 'unsent', 20, 80);

    await enrollMachine(ctx, before, { codename: 'bob' });
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    expect([countedOutput(ctx, 'ada'), countedOutput(ctx, 'bob')]).toEqual([20_000, 480]);
  });

  test('counts for a new device what the recognized one has not sent', async () => {
    const { ctx, machine } = await aSender();
    respond(ctx, machine, 'unsent', 20, 80);
    rmSync(machine.state, { recursive: true });

    const { isNew, notes } = await enrollMachine(ctx, machine, { label: 'again', isNew: true });
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);
    await submitFrom(ctx, machine);

    expect(isNew).toBe(true);
    expect(notes).toEqual([expect.stringContaining('1 day that "laptop" has sent stays there')]);
    expect(countedOutput(ctx)).toBe(20_480);
  });

  test('leaves nothing to a recognized device with other counts, and counts nothing twice', async () => {
    const { ctx, machine } = await aSender();
    ctx.clock.nowMs += DAY_MS;
    respond(ctx, machine, 'b', 20, 3000);
    await submitFrom(ctx, machine);
    respond(ctx, machine, 'c', 20, 80);
    rmSync(machine.state, { recursive: true });
    cleanUp(machine, 'b');

    const { notes } = await enrollMachine(ctx, machine, { label: 'again', isNew: true });
    await submitFrom(ctx, machine);

    expect(notes).toEqual([expect.stringMatching(/1 day that .* stays there/)]);
    expect(countedOutput(ctx)).toBe(23_080);
  });
});
