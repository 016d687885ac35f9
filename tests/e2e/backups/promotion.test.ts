import { expect, test } from 'vitest';
import { expectOneWriter } from '#tests/support/board/promotion-rounds.ts';

test('a second machine takes over, and nothing that was acknowledged and published is lost', async () => {
  const plan = { copy: 'backup', isCutOff: true, sends: 20 } as const;
  const [times] = await expectOneWriter([plan]);
  expect(times?.fenced).toBeLessThan(6);
});
