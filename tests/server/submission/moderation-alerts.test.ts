import { expect, test } from 'vitest';
import { enterState } from '#server/counting/submission-state.ts';
import { createHoldAlerts } from '#server/submission/moderation-alerts.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';

test('logs each submission that a check holds once, and none that the admin holds', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { id, log_index: place } = (await submit(ctx, device, [aBucket()])).answer;
  const { public_id = '' } = ctx.store.operators.byId(1) ?? {};
  const told: unknown[] = [];
  const logger = { ...ctx.logger, warn: (...event: unknown[]) => void told.push(event) };
  const hold = (by: 'check:input_share' | 'keeper') => {
    const decision = { kind: 'hold', public_id, place, by, reason: 'ada did it' } as const;
    ctx.store.transaction(() => enterState(ctx.store, { ...decision, now: ctx.now() }));
  };
  hold('check:input_share');
  const tell = createHoldAlerts({ store: ctx.store, logger });
  tell();
  expect(told).toEqual([]);

  hold('keeper');
  hold('check:input_share');
  tell();
  tell();

  expect(told).toEqual([['submission_held', { submission: id, check: 'input_share' }]]);
});
