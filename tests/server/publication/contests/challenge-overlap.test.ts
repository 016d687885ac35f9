import { expect, test } from 'vitest';
import { ChallengeQuery } from '#core/contract/challenges.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';
import { renewed, replace } from '#tests/support/board/replacing.ts';

test('final standings of a challenge count responses of two devices once', async () => {
  const ctx = testContext();
  addMarchChallenge(ctx);
  ctx.clock.nowMs = Date.parse('2026-03-21T10:00:00.000Z');
  const send = async (over: object) => {
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(9, '2026-03-12', over));
  };
  await send({ fingerprint: fingerprintOfResponses(0, 10) });
  await send({ input: 1_000, fingerprint: fingerprintOfResponses(5, 15) });
  ctx.clock.nowMs = Date.parse('2026-03-23T08:00:00.000Z');
  // A late submission makes the board read the log again.
  await send({ model: 'another' });
  publishAndKeep(ctx);

  const { entries } = readChallenge(ctx, MARCH, ChallengeQuery.parse({}));

  // Half of the second device's responses are also on the first one.
  expect(entries).toMatchObject([{ codename: 'ada', total: 9 * (1_111_100 + 1_111_000 / 2) }]);
});

test('final standings of a challenge do not change when a device is replaced later', async () => {
  const ctx = testContext();
  addMarchChallenge(ctx);
  ctx.clock.nowMs = Date.parse('2026-03-21T10:00:00.000Z');
  const old = await anEnrolledDevice(ctx, 'ada');
  const own = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, old, bucketsOfDays(9, '2026-03-12', { output: 10_000 }));
  await submit(ctx, own, bucketsOfDays(9, '2026-03-12', { output: 20_000 }));
  ctx.clock.nowMs = Date.parse('2026-03-23T08:00:00.000Z');
  await replace(ctx, old, { by: await renewed(own) });
  publishAndKeep(ctx);

  const { entries } = readChallenge(ctx, MARCH, ChallengeQuery.parse({}));

  const { input, cache_write, cache_read } = aBucket();
  const others = input + (cache_write ?? 0) + (cache_read ?? 0);
  expect(entries).toMatchObject([{ codename: 'ada', total: 9 * (2 * others + 30_000) }]);
});
