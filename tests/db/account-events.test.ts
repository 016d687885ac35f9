import { expect, test } from 'vitest';
import { anOperator, testContext } from '#tests/support/context.ts';

test('many sign-ins push out the oldest sign-ins, and nothing else', () => {
  const ctx = testContext();
  const { id: operator_id } = anOperator(ctx, 'ada');
  const note = (kind: 'method_linked' | 'signed_in', detail: string) =>
    ctx.store.accountEvents.add({ operator_id, kind, detail, created_at: '2026-11-21T12:00:00Z' });

  note('method_linked', 'GitHub octocat');
  Array.from({ length: 60 }, (_, index) => note('signed_in', String(index)));

  const events = ctx.store.accountEvents.ofOperator(operator_id);
  expect(events).toHaveLength(51);
  expect(events[0]?.detail).toBe('59');
  expect(events.at(-1)?.kind).toBe('method_linked');
});
