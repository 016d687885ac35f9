import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client, type Fetch } from '#agent/board/client.ts';
import { baselineIn } from '#agent/state/baseline.ts';
import { bindingHere, bindingOf } from '#agent/state/machine.ts';
import { collect } from '#agent/loop/collect.ts';
import { outboxOf } from '#agent/loop/submit.ts';
import { fetchFrom } from '#tests/support/agent/agent.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import {
  type TestMachine,
  aCode,
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
async function aSender(ctx = testContext()) {
  const machine = aMachine(ctx);
  respond(ctx, machine, 'a', 1000, 20_000);
  const { identity } = await enrollMachine(ctx, machine);
  await submitFrom(ctx, machine);
  return { ctx, machine, identity };
}

describe('does not enroll a recognized device without a terminal, and the code stays valid', () => {
  test('stays the same device, even after it was revoked or logged out', async () => {
    const { ctx, machine, identity } = await aSender();
    ctx.store.devices.revokeKey(identity.keyid, 'revoked', ctx.now().toISOString());

    const again = await enrollMachine(ctx, machine);
    machine.device.keystore.erase(BASE_URL);
    const later = await enrollMachine(ctx, machine);
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    expect(again).toMatchObject({ replaced: null, isNew: false, notes: [] });
    expect([again, later].map((one) => one.identity.device_id)).toEqual([
      identity.device_id,
      identity.device_id,
    ]);
    expect(countedOutput(ctx)).toBe(20_400);
  });

  test('does not enroll a recognized device without a terminal, and the code stays valid', async () => {
    const { ctx, machine } = await aSender();
    rmSync(machine.state, { recursive: true });
    const code = aCode(ctx);

    const refused = enrollMachine(ctx, machine, { code });
    await expect(refused).rejects.toMatchObject({ exitCode: 1, code: 'device_recognized' });
    const asked = { code, answer: '1', label: null };
    const { label, replaced } = await enrollMachine(ctx, machine, asked);
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    expect([label, replaced]).toMatchObject(['laptop', { label: 'laptop' }]);
    expect(countedOutput(ctx)).toBe(20_400);
  });

  test('copies the counts of the replaced device if its logs were deleted', async () => {
    const { ctx, machine } = await aSender();
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);
    rmSync(machine.state, { recursive: true });
    cleanUp(machine, 'a');

    await enrollMachine(ctx, machine, { replace: 'laptop' });
    respond(ctx, machine, 'c', 1, 7);
    const { notes } = await submitFrom(ctx, machine);

    expect(notes.join('\n')).toContain('1 day copied from the board');
    expect(countedOutput(ctx)).toBe(20_407);
  });

  test('keeps the decision if the response was lost', async () => {
    const { ctx, machine } = await aSender();
    rmSync(machine.state, { recursive: true });
    const losing: Fetch = async (url, init) => {
      const answer = await fetchFrom(ctx)(url, init);
      if (url.endsWith('/enroll')) throw new TypeError('fetch failed');
      return answer;
    };
    const code = aCode(ctx);
    const offline = { ...machine, device: aDeviceLike(machine.device, losing) };

    const lost = enrollMachine(ctx, offline, { code, replace: 'laptop' });
    await expect(lost).rejects.toMatchObject({ exitCode: 4 });
    const { replaced } = await enrollMachine(ctx, machine, { code });
    await submitFrom(ctx, machine);

    expect(replaced).toMatchObject({ label: 'laptop' });
    expect(countedOutput(ctx)).toBe(20_000);
  });

  test('enrolls without a question if the board lists no devices', async () => {
    const { ctx, machine } = await aSender();
    rmSync(machine.state, { recursive: true });
    const old: Fetch = (url, init) => {
      if (!url.endsWith('/known')) return fetchFrom(ctx)(url, init);
      const problem = { code: 'not_found', detail: 'No such address' };
      return Promise.resolve(Response.json(problem, { status: 404 }));
    };
    const before = { ...machine, device: aDeviceLike(machine.device, old) };

    const replacing = enrollMachine(ctx, before, { replace: 'laptop' });
    await expect(replacing).rejects.toMatchObject({
      exitCode: 1,
      hint: expect.stringContaining('Enroll without --replace'),
    });
    expect(await enrollMachine(ctx, before)).toMatchObject({ replaced: null, isNew: false });
  });

  test('recognizes its own responses if its clock is ahead', async () => {
    const ctx = testContext();
    const aheadMs = 5 * 60_000;
    const machine = aMachine(ctx, { fetch: dated(ctx, -aheadMs) });
    // By the board's clock, it is accepted before it was logged.
    ctx.clock.nowMs += aheadMs;
    respond(ctx, machine, 'a', 1000, 20_000);
    ctx.clock.nowMs -= aheadMs;
    await enrollMachine(ctx, machine);
    await submitFrom(ctx, machine);
    rmSync(machine.state, { recursive: true });

    const enrolling = enrollMachine(ctx, machine);

    await expect(enrolling).rejects.toMatchObject({ code: 'device_recognized' });
  });

  test('counts all days again on a new board', async () => {
    const { machine } = await aSender();
    const renewed = testContext();
    const client = new Client(fetchFrom(renewed), machine.device.nowMs);
    const later = { ...machine, device: { ...machine.device, client } };
    renewed.clock.nowMs = machine.device.nowMs();

    const { isNew } = await enrollMachine(renewed, later, { codename: 'eve' });
    await submitFrom(renewed, later);

    expect(isNew).toBe(false);
    expect(countedOutput(renewed, 'eve')).toBe(20_000);
  });
});

describe('enrollKnown() on a copy', () => {
  test('does not affect the original, deletes its keys and envelopes, and counts only new responses', async () => {
    const { ctx, machine, identity } = await aSender();
    const elsewhere = { ...identity, board: 'https://other.example' };
    machine.device.keystore.save(elsewhere);
    outboxOf(machine.device, elsewhere).add('1', '{}');
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    machine.device.keystore.erase(elsewhere.board);
    respond(ctx, copy, 'b', 20, 400);
    respond(ctx, machine, 'c', 1, 7);

    const refused = await submitFrom(ctx, copy);
    const enrolled = await enrollMachine(ctx, copy, { label: 'desktop', isNew: true });
    respond(ctx, copy, 'd', 2, 30);
    const sent = [await submitFrom(ctx, copy), await submitFrom(ctx, machine)];

    expect(refused).toMatchObject({
      exitCode: 2,
      submissions: [],
      failures: [{ code: 'copied_installation' }, { code: 'copied_installation' }],
    });
    expect(enrolled.identity.device_id).not.toBe(identity.device_id);
    expect(enrolled.notes.join('\n')).toContain('https://other.example');
    expect(copy.device.keystore.identities().sound).toHaveLength(1);
    expect(outboxOf(copy.device, elsewhere).pending()).toEqual([]);
    expect(sent).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(countedOutput(ctx)).toBe(20_437);
  });

  test('stays a copy if the board rejects it, and enrolls with the next code', async () => {
    const { ctx, machine } = await aSender();
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    const refusing: Fetch = (url, init) => {
      if (!url.endsWith('/enroll')) return fetchFrom(ctx)(url, init);
      const problem = { code: 'account_limit_reached', detail: 'Too many devices' };
      return Promise.resolve(Response.json(problem, { status: 409 }));
    };
    const full = { ...copy, device: aDeviceLike(copy.device, refusing) };

    await expect(enrollMachine(ctx, full, { isNew: true })).rejects.toMatchObject({
      code: 'account_limit_reached',
    });
    const binding = bindingOf(copy.device);
    const refused = await submitFrom(ctx, copy);
    const { isNew } = await enrollMachine(ctx, copy, { isNew: true });
    await submitFrom(ctx, copy);
    await submitFrom(ctx, machine);

    expect(binding).toMatchObject({ state: 'copied', isBegun: true });
    expect(refused.exitCode).toBe(2);
    expect(isNew).toBe(true);
    expect(countedOutput(ctx)).toBe(20_000);
  });

  test('continues the original with --replace, which revokes it', async () => {
    const { ctx, machine } = await aSender();
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    respond(ctx, copy, 'b', 20, 400);

    await enrollMachine(ctx, copy, { replace: 'laptop' });
    await submitFrom(ctx, copy);
    const original = await submitFrom(ctx, machine);

    expect(countedOutput(ctx)).toBe(20_400);
    expect(original).toMatchObject({ exitCode: 3, failures: [{ code: 'key_revoked' }] });
  });

  test('does not state what the replaced device did not state', async () => {
    const { ctx, machine } = await aSender();
    const copy = aMachine(ctx, { name: 'two', copyOf: machine });
    await enrollMachine(ctx, copy, { label: 'desktop', isNew: true });
    respond(ctx, copy, 'b', 20, 400);
    await submitFrom(ctx, copy);
    const third = aMachine(ctx, { name: 'three', copyOf: copy });

    const { identity } = await enrollMachine(ctx, third, { replace: 'desktop' });
    await submitFrom(ctx, third);

    const folder = third.device.keystore.folderOf(BASE_URL);
    expect(baselineIn(folder, identity.device_id)).not.toBeNull();
    expect(countedOutput(ctx)).toBe(20_400);
  });

  test('turns one installation into two on computers without IDs', async () => {
    const { ctx, machine, identity } = await aSender();
    const twin = aMachine(ctx, { copyOf: machine });
    renameSync(join(twin.state, 'machine.json'), join(twin.state, 'gone.json'));
    respond(ctx, twin, 'b', 20, 400);

    const enrolled = await enrollMachine(ctx, twin, { label: 'twin', isNew: true });
    respond(ctx, twin, 'c', 3, 60);
    const sent = [await submitFrom(ctx, twin), await submitFrom(ctx, machine)];

    expect(enrolled.identity.device_id).not.toBe(identity.device_id);
    expect(bindingOf(twin.device)).toEqual({ state: 'same' });
    expect(sent).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(countedOutput(ctx)).toBe(20_460);
  });

  test('restores the installation ID if the enrollment fails', async () => {
    const { ctx, machine, identity } = await aSender();
    const refusing: Fetch = (url, init) => {
      if (!url.endsWith('/enroll')) return fetchFrom(ctx)(url, init);
      const problem = { code: 'account_limit_reached', detail: 'Too many devices' };
      return Promise.resolve(Response.json(problem, { status: 409 }));
    };
    const full = { ...machine, device: aDeviceLike(machine.device, refusing) };
    const installation = machine.device.keystore.installationId();

    await expect(enrollMachine(ctx, full, { isNew: true })).rejects.toThrow('Too many');
    const sent = await submitFrom(ctx, machine);

    expect(machine.device.keystore.installationId()).toBe(installation);
    expect(machine.device.keystore.identity(BASE_URL)).toEqual(identity);
    expect(sent.exitCode).toBe(0);
    expect(existsSync(join(machine.state, 'copied.json'))).toBe(false);
  });

  test('enrolls a copy of a folder that was never enrolled like a new device', async () => {
    const ctx = testContext();
    const image = aMachine(ctx);
    image.device.keystore.installationId();
    bindingHere(image.device);
    const [one, two] = ['one', 'two'].map((name) => {
      return aMachine(ctx, { name: `machine ${name}`, copyOf: image });
    }) as [TestMachine, TestMachine];
    for (const [at, machine] of [one, two].entries()) {
      respond(ctx, machine, `a${at}`, 1000, 20_000 + at);
      await enrollMachine(ctx, machine, { label: `machine ${at}` });
      await submitFrom(ctx, machine);
    }

    expect(countedOutput(ctx)).toBe(40_001);
  });

  test('takes back the days of a device that it replaces later', async () => {
    const { ctx, machine } = await aSender();
    rmSync(machine.state, { recursive: true });
    await enrollMachine(ctx, machine, { label: 'again', isNew: true });
    respond(ctx, machine, 'b', 20, 400);
    await submitFrom(ctx, machine);

    await enrollMachine(ctx, machine, { label: 'again', replace: 'laptop' });
    await submitFrom(ctx, machine);
    respond(ctx, machine, 'c', 1, 7);
    await submitFrom(ctx, machine);
    const { buckets } = await collect(machine.device);

    expect(countedOutput(ctx)).toBe(20_407);
    expect(buckets.map(({ output }) => output)).toEqual([20_407]);
  });

  test('adds the days of a replaced device whose logs were deleted', async () => {
    const { ctx, machine } = await aSender();
    rmSync(machine.state, { recursive: true });
    cleanUp(machine, 'a');
    respond(ctx, machine, 'b', 20, 400);
    await enrollMachine(ctx, machine, { label: 'again' });
    await submitFrom(ctx, machine);

    const { replaced } = await enrollMachine(ctx, machine, { label: 'again', replace: 'laptop' });
    await submitFrom(ctx, machine);
    respond(ctx, machine, 'c', 1, 7);
    await submitFrom(ctx, machine);

    expect(replaced).toMatchObject({ label: 'laptop' });
    expect(countedOutput(ctx)).toBe(20_407);
  });
});
