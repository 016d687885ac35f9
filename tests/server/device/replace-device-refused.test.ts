import { describe, expect, test } from 'vitest';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { aBucket, aDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  anEnrollmentRequest,
  anOperator,
  dumpOf,
  enroll,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import {
  DOUBLED_DAY as DAY,
  aDoubledDay,
  asIfOne,
  enrollEntries,
  findingsOf,
  idsOf,
  renewed,
  replace,
  revoke,
  standing,
} from '#tests/support/board/replacing.ts';

describe('a device that cannot be replaced', () => {
  async function refusedFor(
    prepare: (scene: Awaited<ReturnType<typeof aDoubledDay>>) => Promise<string> | string,
  ) {
    const scene = await aDoubledDay();
    const { ctx, own } = scene;
    const replaces = await prepare(scene);
    const { code } = createEnrollmentCode(ctx, 1);
    const request = await anEnrollmentRequest(ctx, await renewed(own), code, { replaces });
    const before = dumpOf(ctx);
    const refused = await enrollDevice(ctx, request).catch((error: unknown) => error);
    expect(dumpOf(ctx)).toEqual(before);
    return refused;
  }

  test.each<[string, RegExp, Parameters<typeof refusedFor>[0]]>([
    ['is unknown', /no device/, () => '6f0f6a4e-0000-4000-8000-000000000000'],
    [
      'is the one that enrolls',
      /is the device that you are enrolling/,
      ({ ctx, own }) => idsOf(ctx, own).public_id,
    ],
    [
      'is compromised',
      /as compromised/,
      ({ ctx, old }) => {
        const { public_id } = idsOf(ctx, old);
        revoke(ctx, old, 'compromised');
        return public_id;
      },
    ],
    [
      'was replaced by another',
      /replaced by Desk/,
      async ({ ctx, old }) => {
        const { public_id } = idsOf(ctx, old);
        await replace(ctx, old);
        return public_id;
      },
    ],
    [
      "is another account's",
      /no device/,
      async ({ ctx }) => idsOf(ctx, await anEnrolledDevice(ctx, 'bob')).public_id,
    ],
    [
      'represents self-reports',
      /no device/,
      ({ ctx }) => {
        const public_id = '6f0f6a4e-0000-4000-8000-000000000001';
        const created_at = ctx.now().toISOString();
        ctx.store.devices.addSelfReporting({ public_id, operator_id: 1, created_at });
        return public_id;
      },
    ],
  ])('is one that %s, and nothing is enrolled', async (_, detail, prepare) => {
    const refused = await refusedFor(prepare);

    expect(refused).toMatchObject({ code: 'device_not_replaceable' });
    expect((refused as Error).message).toMatch(detail);
  });

  test('is not an error if this device has already replaced it', async () => {
    const { ctx, old, own } = await aDoubledDay();
    const replaces = idsOf(ctx, old).public_id;
    await replace(ctx, old, { by: await renewed(own) });
    const before = standing(ctx);

    const { created } = await enroll(ctx, { id: 1 }, await renewed(own), { replaces });

    expect(created).toBe(true);
    expect(standing(ctx)).toEqual(before);
    expect(enrollEntries(ctx).at(-1)?.replaces).toBeUndefined();
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('is an error if the key is already enrolled without it', async () => {
    const { ctx, old } = await aDoubledDay();
    const device = await aDevice();
    await enroll(ctx, { id: 1 }, device);
    const before = dumpOf(ctx);

    await expect(replace(ctx, old, { by: device })).rejects.toThrow(refusal('key_known'));
    expect({ ...dumpOf(ctx), enrollment_codes: [] }).toEqual({ ...before, enrollment_codes: [] });
  });

  test('must be the device in the proof', async () => {
    const { ctx, old, own } = await aDoubledDay();
    const { code } = createEnrollmentCode(ctx, 1);
    const request = await anEnrollmentRequest(ctx, await aDevice(), code);
    const replaces = idsOf(ctx, old).public_id;

    await expect(enrollDevice(ctx, { ...request, replaces })).rejects.toThrow(
      refusal('proof_invalid'),
    );
    const other = await anEnrollmentRequest(ctx, await aDevice(), code, { replaces });
    const others = { ...other, replaces: idsOf(ctx, own).public_id };
    await expect(enrollDevice(ctx, others)).rejects.toThrow(refusal('proof_invalid'));
    const without = { ...other, replaces: undefined };
    await expect(enrollDevice(ctx, without)).rejects.toThrow(refusal('proof_invalid'));
  });
});

describe('replacing in turns', () => {
  test('starts over when the account changes in between', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const { id } = (await submit(ctx, old, [aBucket({ day: DAY, output: 99_000 })])).answer;
    const { deviceReplacements } = ctx.store;
    const { accepted } = deviceReplacements;
    let tries = 0;
    deviceReplacements.accepted = (...devices) => {
      const read = accepted(...devices);
      tries += 1;
      if (tries === 1) decideSubmission(ctx, { kind: 'hold', id, reason: 'A reason' });
      return read;
    };

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(tries).toBe(2);
    expect(standing(ctx).join()).not.toContain('99000');
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('changes nothing before the recount is complete', async () => {
    const ctx = testContext();
    const old = await anEnrolledDevice(ctx, 'ada');
    const own = await anEnrolledDevice(ctx, 'ada');
    for (let at = 0; at < 5; at += 1) {
      await submit(ctx, old, bucketsOfDays(3, '2026-02-01', { input: at }));
      await submit(ctx, own, bucketsOfDays(3, '2026-02-01', { input: 10 + at }));
    }
    const before = standing(ctx);
    const again = await renewed(own);
    const states = new Set<string>();
    let isDone = false;

    const replacing = replace(ctx, old, { by: again }).then(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns += 1) {
      states.add(JSON.stringify([standing(ctx), enrollEntries(ctx).length]));
      await new Promise(setImmediate);
    }
    await replacing;

    expect(turns).toBeGreaterThan(10);
    const after = asIfOne(ctx, [old, own, again]);
    expect([...states, JSON.stringify([standing(ctx), 3])]).toEqual(
      expect.arrayContaining([JSON.stringify([before, 2]), JSON.stringify([after, 3])]),
    );
    expect(states.size).toBeLessThanOrEqual(2);
  });

  test('lets only one of two replacements of a device succeed', async () => {
    const { ctx, old } = await aDoubledDay();
    const settled = await Promise.allSettled([replace(ctx, old), replace(ctx, old)]);

    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('does not affect others', async () => {
    const { ctx, old, own } = await aDoubledDay();
    await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket({ day: DAY, output: 12 })]);
    const { id } = anOperator(ctx, 'cyd');
    const before = standing(ctx, 2);

    await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx, 2)).toEqual(before);
    expect(standing(ctx, id)).toEqual([]);
  });
});
