import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '#agent/board/client.ts';
import { fetchFrom } from '#tests/support/agent/agent.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import {
  type TestMachine,
  aMachine,
  cleanUp,
  countedOutput,
  dated,
  enrollMachine,
  respond,
  submitFrom,
} from '#tests/support/agent/machines.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

/** A device that has sent one response of 20,000 tokens. */
async function aSender(ctx = testContext(), fetch?: Fetch) {
  const machine = aMachine(ctx, fetch ? { fetch } : {});
  respond(ctx, machine, 'a', 1000, 20_000);
  await enrollMachine(ctx, machine);
  await submitFrom(ctx, machine);
  return { ctx, machine };
}

/** Saves the state, and returns a function that restores it. */
function backup({ state, home }: TestMachine): () => void {
  const aside = join(home, 'backup');
  rmSync(aside, { recursive: true, force: true });
  cpSync(state, aside, { recursive: true });
  return () => {
    rmSync(state, { recursive: true });
    cpSync(aside, state, { recursive: true });
  };
}

function folderOf({ device }: TestMachine): string {
  return device.keystore.folderOf(BASE_URL);
}

describe('recover()', () => {
  test('copies what a restored state lacks, and adds what is new', async () => {
    const { ctx, machine } = await aSender();
    const restore = backup(machine);
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);
    restore();
    cleanUp(machine, 'b');
    respond(ctx, machine, 'c', 1, 7);

    const { notes } = await submitFrom(ctx, machine);
    const again = await submitFrom(ctx, machine);

    expect(notes.join('\n')).toMatch(/older than the board.*1 day copied from the board/);
    expect(countedOutput(ctx)).toBe(20_407);
    expect(again).toMatchObject({ notes: [], submissions: [{ records: 0 }] });
  });

  test('copies the counts of the board if the sent counts are unknown', async () => {
    const { ctx, machine } = await aSender();
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);
    rmSync(join(folderOf(machine), 'sent.json'));
    rmSync(join(machine.state, 'ledger'), { recursive: true });
    cleanUp(machine, 'a');
    respond(ctx, machine, 'c', 1, 7);

    const { notes } = await submitFrom(ctx, machine);

    expect(notes.join('\n')).toContain('1 day copied from the board');
    expect(countedOutput(ctx)).toBe(20_407);
  });

  test('adds nothing twice after an interruption', async () => {
    const { ctx, machine } = await aSender();
    rmSync(join(machine.state, 'ledger'), { recursive: true });
    rmSync(join(folderOf(machine), 'sent.json'));
    cleanUp(machine, 'a');
    respond(ctx, machine, 'b', 20, 400);

    await submitFrom(ctx, machine);
    for (const name of ['sent.json', 'recovery.json']) rmSync(join(folderOf(machine), name));
    await submitFrom(ctx, machine);

    expect(countedOutput(ctx)).toBe(20_400);
  });

  test('carries nothing over twice if the clock is ahead', async () => {
    const ctx = testContext();
    const aheadMs = 5 * 60_000;
    const machine = aMachine(ctx, { fetch: dated(ctx, -aheadMs) });
    // By the board's clock, it is accepted before it was logged.
    ctx.clock.nowMs += aheadMs;
    respond(ctx, machine, 'a', 1000, 20_000);
    ctx.clock.nowMs -= aheadMs;
    await enrollMachine(ctx, machine);
    await submitFrom(ctx, machine);
    rmSync(join(folderOf(machine), 'sent.json'));

    await submitFrom(ctx, machine);

    expect(countedOutput(ctx)).toBe(20_000);
  });

  test('copies nothing that was only confirmed late', async () => {
    const ctx = testContext();
    let isLosing = true;
    const losing: Fetch = async (url, init) => {
      const answer = await fetchFrom(ctx)(url, init);
      if (url.endsWith('/snapshots') && isLosing) throw new TypeError('fetch failed');
      return answer;
    };
    const { machine } = await aSender(ctx, losing);
    isLosing = false;

    const { notes } = await submitFrom(ctx, machine);

    expect(notes).toEqual([]);
    expect(existsSync(join(folderOf(machine), 'recovery.json'))).toBe(false);
    expect(countedOutput(ctx)).toBe(20_000);
  });

  test('states counts above a baseline that a restored state forgot', async () => {
    const { ctx, machine } = await aSender();
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    await enrollMachine(ctx, copy, { label: 'desktop', isNew: true });
    respond(ctx, copy, 'b', 20, 400);
    await submitFrom(ctx, copy);
    const restore = backup(copy);
    respond(ctx, copy, 'c', 20, 600);
    await submitFrom(ctx, copy);
    restore();
    cleanUp(copy, 'c');
    respond(ctx, copy, 'd', 1, 7);

    await submitFrom(ctx, copy);

    expect(countedOutput(ctx)).toBe(21_007);
  });

  test('says that another installation has the same key if it happens repeatedly', async () => {
    const { ctx, machine } = await aSender();
    const twin = aMachine(ctx, { copyOf: machine });
    rmSync(join(twin.state, 'machine.json'));
    const notes: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      respond(ctx, machine, `m${round}`, 1, 10);
      respond(ctx, twin, `t${round}`, 1, 11);
      notes.push((await submitFrom(ctx, machine)).notes.join('\n'));
      await submitFrom(ctx, twin);
    }
    respond(ctx, machine, 'last', 1, 10);
    notes.push((await submitFrom(ctx, machine)).notes.join('\n'));

    expect(notes[0]).not.toContain('another machine');
    expect(notes.at(-1)).toMatch(/another machine seems to use the key.*opbench enroll CODE --new/);
  });

  test('continues without it on a board that lists no counts', async () => {
    const { ctx, machine } = await aSender();
    const restore = backup(machine);
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);
    restore();
    const old: Fetch = (url, init) => {
      if (!url.includes('/counts')) return fetchFrom(ctx)(url, init);
      const problem = { code: 'not_found', detail: 'No such address' };
      return Promise.resolve(Response.json(problem, { status: 404 }));
    };

    const before = { ...machine, device: aDeviceLike(machine.device, old) };
    const sent = await submitFrom(ctx, before);

    expect(sent).toMatchObject({ exitCode: 0, notes: [] });
    expect(countedOutput(ctx)).toBe(20_400);
  });
});
