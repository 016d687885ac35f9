import { describe, expect, test } from 'vitest';
import { runOnce } from '#agent/auto/run.ts';
import { HANDLERS } from '#agent/mcp/handlers.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { anOutput, fetchFrom, runCommand } from '#tests/support/agent/agent.ts';
import { query, testContext } from '#tests/support/board/context.ts';
import {
  type TestMachine,
  aCode,
  aMachine,
  countedOutput,
  enrollMachine,
  respond,
  submitFrom,
} from '#tests/support/agent/machines.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

/** A device that has submitted, and a copy of its home folder on another computer. */
async function aCopy() {
  const ctx = testContext();
  const original = aMachine(ctx);
  respond(ctx, original, 'a', 1000, 20_000);
  await enrollMachine(ctx, original);
  await submitFrom(ctx, original);
  const asked: string[] = [];
  const copy = aMachine(ctx, { name: 'two', copyOf: original });
  const watched = aDeviceLike(copy.device, (url, init) => {
    asked.push(url);
    return fetchFrom(ctx)(url, init);
  });
  respond(ctx, copy, 'b', 20, 400);
  return { ctx, original, copy: { ...copy, device: watched }, asked };
}

async function run({ device }: TestMachine, name: string, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, name, args, output);
  return { exitCode, results: output.results.join('\n'), notes: output.notes.join('\n') };
}

describe('a copied state folder', () => {
  test('sends nothing by command, timer or agent', async () => {
    const { copy, asked } = await aCopy();
    const call = { device: copy.device, progress: () => undefined, home: undefined };

    const byTimer = await runOnce(copy.device);
    const byAgent = HANDLERS.submit_verified({ board: undefined, dry_run: false }, call);

    await expect(byAgent).rejects.toMatchObject({ code: 'copied_installation', exitCode: 2 });
    expect(byTimer).toMatchObject({ exit: 2, boards: [{ code: 'copied_installation' }] });
    expect(await run(copy, 'submit')).toMatchObject({
      exitCode: 2,
      notes: expect.stringMatching(/is a copy of.*--new.*--same-machine/s),
    });
    expect(asked).toEqual([]);
  });

  test('is reported by status and a dry run, which otherwise work as before', async () => {
    const { original, copy } = await aCopy();

    const status = await run(copy, 'status');
    const dry = await run(copy, 'submit', '--dry-run');
    const { copied } = JSON.parse((await run(original, 'status', '--json')).results) as object & {
      copied: string | null;
    };

    expect(status).toMatchObject({ exitCode: 0, notes: expect.stringContaining('is a copy of') });
    expect(status.results).toMatch(/not sent yet: 1 daily count of 1 day$/m);
    expect(dry).toMatchObject({ exitCode: 0, notes: expect.stringContaining('is a copy of') });
    expect(dry.results).toContain('"output":20400');
    expect(copied).toBeNull();
  });

  test('enrolls as advised, without --board if there is only one', async () => {
    const { ctx, original, copy } = await aCopy();

    expect(await run(copy, 'enroll', aCode(ctx), '--new')).toMatchObject({
      exitCode: 0,
      results: expect.stringContaining(`Enrolled as ada on ${BASE_URL}`),
    });
    const unused = run(aMachine(ctx, { name: 'three' }), 'enroll', aCode(ctx));
    await expect(unused).rejects.toThrow('enroll needs a CODE and --board URL');
    expect((await run(original, 'submit')).exitCode).toBe(0);
  });

  test('sends again after --same-machine', async () => {
    const { ctx, copy } = await aCopy();

    const said = await run(copy, 'submit', '--same-machine');
    const later = await run(copy, 'submit');

    expect([said.exitCode, later.exitCode]).toEqual([0, 0]);
    expect(countedOutput(ctx)).toBe(20_400);
  });

  test('logs out without revoking the key of the original', async () => {
    const { ctx, original, copy } = await aCopy();

    const left = await run(copy, 'logout');

    expect(left).toMatchObject({ exitCode: 0, notes: expect.stringContaining('erased only here') });
    expect(copy.device.keystore.identity(BASE_URL)).toBeNull();
    expect(query(ctx, 'SELECT 1 FROM device_keys WHERE revoked_at IS NOT NULL')).toEqual([]);
    expect(await submitFrom(ctx, original)).toMatchObject({ exitCode: 0 });
  });

  test.each([['scan'], ['improve'], ['record', '--window', 'all_time'], ['doctor', '--offline']])(
    'is noticed by %s before the ledger changes here',
    async (name, ...args) => {
      const { ctx, copy } = await aCopy();

      await run(copy, name, ...args);
      await enrollMachine(ctx, copy, { label: 'desktop', isNew: true });
      await submitFrom(ctx, copy);

      expect(countedOutput(ctx)).toBe(20_400);
    },
  );
});
