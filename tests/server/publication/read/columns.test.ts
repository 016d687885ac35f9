import { expect, test } from 'vitest';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { buffersOf } from '#server/publication/read/columns.ts';
import { Projection } from '#server/publication/projection.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { projectedAll, testContext } from '#tests/support/board/context.ts';

/** All typed arrays in a value. */
function columnsOf(value: unknown): Uint8Array<ArrayBuffer>[] {
  if (ArrayBuffer.isView(value)) return [value as Uint8Array<ArrayBuffer>];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(columnsOf);
}

test('all columns of a publication are transferred between threads, and none is copied', () => {
  const ctx = testContext();
  for (const name of ['ada', 'bob']) anActive(ctx, name, tenDays());
  const terms = { id: 'race', title: 'T', description: 'D', metric: 'yield', tool: null } as const;
  const days = { first_day: '2026-03-11', last_day: '2026-03-20' };
  const request = { ...terms, ...days, eligibility: {} };
  createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
  const projection = new Projection(ctx.ruleset);
  projection.refresh(ctx.store, '2026-03-12');
  const projected = projectedAll(projection);
  const head = { id: 1, log_index: 1, as_of: '2026-03-12', ruleset: '1', generated_at: '' };
  const data = { head, ...projected };
  expect(data.shared.challenges).toHaveLength(1);
  const columns = columnsOf(data);

  structuredClone(data, { transfer: buffersOf(data) });

  expect(columns.length).toBeGreaterThan(100);
  expect(columns.filter(({ buffer }) => !buffer.detached)).toEqual([]);
});
