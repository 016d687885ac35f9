import { expect, test, vi } from 'vitest';
import { setAvatar } from '#server/operator/set-avatar.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

vi.mock('sharp', () => {
  throw new Error('Could not load the native module');
});

test('setAvatar() reports if the decoder cannot be loaded', async () => {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'ada');
  const png = Buffer.from('89504e470d0a1a0a', 'hex');

  await expect(setAvatar(ctx, id, png)).rejects.toThrow(refusal('service_unavailable'));
  await expect(setAvatar(ctx, id, png)).rejects.toThrow(refusal('service_unavailable'));
});
