import { expect, test } from 'vitest';
import { runHistory } from '#tests/support/history/run-history.ts';

test.each(Array.from({ length: 12 }, (_, i) => i + 100))('seed %i', async (seed) => {
  const done = await runHistory(seed, 40);
  const g = globalThis as any;
  g.D ??= {};
  for (const [k, v] of done) g.D[k] = (g.D[k] ?? 0) + v;
  if (seed === 139) console.log(JSON.stringify(g.D));
  expect(done.size).toBeGreaterThan(3);
});
