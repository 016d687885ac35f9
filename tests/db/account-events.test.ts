import { expect, test } from 'vitest';
import type { AccountEvent } from '#core/schema/account.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';

test.each([
  ['signed_in', 'signed_in'],
  ['submission_withdrawn', 'submission_restored'],
] as const)('many of %s displace the oldest of their kind, and nothing else', (one, other) => {
  const ctx = testContext();
  const { id: operator_id } = anOperator(ctx, 'ada');
  const note = (kind: AccountEvent['kind'], detail: string) =>
    ctx.store.accountEvents.add({ operator_id, kind, detail, created_at: '2026-11-21T12:00:00Z' });

  note('method_linked', 'GitHub octocat');
  Array.from({ length: 60 }, (_, index) => note(index % 2 === 0 ? one : other, String(index)));

  const events = ctx.store.accountEvents.ofOperator(operator_id);
  expect(events).toHaveLength(51);
  expect(events[0]?.detail).toBe('59');
  expect(events.at(-1)?.kind).toBe('method_linked');
});
