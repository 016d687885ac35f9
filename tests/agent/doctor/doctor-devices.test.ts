import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bindingFindings, deviceFindings, overlapFindings } from '#agent/doctor/devices.ts';
import { collect } from '#agent/loop/collect.ts';
import { submit as submitStated } from '#agent/loop/submit.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sendable } from '#tests/support/agent/agent.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import {
  type TestMachine,
  aMachine,
  enrollMachine,
  respond,
  submitFrom,
} from '#tests/support/agent/machines.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Doctor's findings about this device, as severity, text and advice. */
async function find({ device }: TestMachine) {
  const identity = device.keystore.identity(BASE_URL);
  if (!identity) throw new Error('Not enrolled');
  const { ledger } = await collect(device);
  const me = await device.client.me(identity);
  const found = [
    ...bindingFindings(device),
    ...deviceFindings(device, identity, me.device?.last_submission_at ?? null),
    ...(await overlapFindings(device, identity, (day, tool, untilMs) => {
      return ledger.sumUntil(day, tool, untilMs);
    })),
  ];
  return found.map(({ severity, text, advice }) => `${severity}: ${text}. ${advice}`);
}

/** A device of an earlier version that has sent counts without fingerprints. */
async function anEarlierDevice(ctx: TestContext, label: string, buckets: readonly Bucket[]) {
  const earlier = aMachine(ctx, { name: 'other' });
  const { identity } = await enrollMachine(ctx, earlier, { label });
  await submitStated(earlier.device, identity, sendable(buckets));
  ctx.clock.nowMs += 1000;
}

async function bucketsOf({ device }: TestMachine): Promise<readonly Bucket[]> {
  return (await collect(device)).buckets;
}

describe('doctor on devices', () => {
  test('finds nothing for a single device, or two with different logs', async () => {
    const ctx = testContext();
    const [one, two] = [aMachine(ctx), aMachine(ctx, { name: 'two' })];
    for (const [at, machine] of [one, two].entries()) {
      respond(ctx, machine, `a${at}`, 1000, 20_000 + at);
      await enrollMachine(ctx, machine, { label: `machine ${at}` });
      await submitFrom(ctx, machine);
    }

    expect([await find(one), await find(two)]).toEqual([[], []]);
  });

  test('says what to do with a copied state folder', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await enrollMachine(ctx, machine);

    const found = await find(aMachine(ctx, { name: 'two', copyOf: machine }));

    expect(found).toEqual([
      expect.stringMatching(/^problem: This state folder is a copy of .*--new.*--same-machine/),
    ]);
  });

  test('finds the earlier device of this installation if its state folder was lost', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await anEarlierDevice(ctx, 'laptop', await bucketsOf(machine));
    await enrollMachine(ctx, machine, { label: 'laptop again', isNew: true });
    // Versions without baselines report everything.
    rmSync(join(machine.device.keystore.folderOf(BASE_URL), 'baseline.json'));
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    const found = await find(machine);

    expect(found).toEqual([
      expect.stringMatching(
        /^problem: .*1 day counted twice.*"laptop" \(last seen \d+ Mar\).*enroll CODE --replace "laptop"/,
      ),
    ]);
  });

  test('only warns about another device in use with the same days, and not after it is gone', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await enrollMachine(ctx, machine, { label: 'laptop' });
    await submitFrom(ctx, machine);
    await anEarlierDevice(ctx, 'desktop', await bucketsOf(machine));

    const found = await find(machine);
    ctx.clock.nowMs += 8 * DAY_MS;
    const later = await find(machine);

    expect(found).toEqual([expect.stringMatching(/^warning: .*"desktop".*1 day.*count once/)]);
    expect(later).toEqual([]);
  });

  test('does not warn about days that stay with the other device', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await enrollMachine(ctx, machine, { label: 'laptop' });
    await submitFrom(ctx, machine);
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    await enrollMachine(ctx, copy, { label: 'desktop', isNew: true });

    expect(await find(copy)).toEqual([
      expect.stringMatching(/^warning: .*Earlier days stay with "laptop"/),
    ]);
  });

  test('says that the state is older than the board, then that another installation has the key', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await enrollMachine(ctx, machine);
    await submitFrom(ctx, machine);
    const aside = join(machine.home, 'aside');
    cpSync(machine.state, aside, { recursive: true });
    const found: string[][] = [];
    for (let round = 0; round < 4; round += 1) {
      respond(ctx, machine, `b${round}`, 20, 400);
      await submitFrom(ctx, machine);
      const { state } = machine;
      const recovery = join(machine.device.keystore.folderOf(BASE_URL), 'recovery.json');
      cpSync(join(aside, 'boards'), join(state, 'boards'), {
        recursive: true,
        filter: (path) => path !== recovery,
      });
      found.push(await find(machine));
      await submitFrom(ctx, machine);
    }

    expect(found[0]).toEqual([
      expect.stringMatching(/^warning: .*newer submissions.*Run: opbench submit/),
    ]);
    expect(found[3]).toEqual([expect.stringMatching(/^problem: .*Another machine.*--new/)]);
  });

  test('says which days stay with another device or account', async () => {
    const ctx = testContext();
    const machine = aMachine(ctx);
    respond(ctx, machine, 'a', 1000, 20_000);
    await enrollMachine(ctx, machine);
    await submitFrom(ctx, machine);
    await enrollMachine(ctx, machine, { codename: 'bob' });

    expect(await find(machine)).toEqual([
      expect.stringMatching(/^warning: .*Earlier days stay with the account ada.*--replace/),
    ]);
  });
});
