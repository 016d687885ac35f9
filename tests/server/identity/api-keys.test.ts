import { describe, expect, test } from 'vitest';
import { issueApiKey, readApiKey, revokeApiKey } from '#server/identity/api-keys.ts';
import { dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function aKey(ctx = testContext(), label = 'Export') {
  const text = issueApiKey(ctx.store, { label, per_minute: 7, now: ctx.now() });
  return { ctx, text, id: text.slice(3, 15) };
}

describe('API keys', () => {
  test('a key is recognized only by its exact text', () => {
    const { ctx, text, id } = aKey();

    expect(text).toMatch(/^ob_[0-9a-f]{12}_[\w-]{43}$/);
    expect(readApiKey(ctx.store, text)).toEqual({ id, per_minute: 7 });
  });

  test.each<[string, (text: string, other: string) => string]>([
    ['nothing', () => ''],
    ['its id', (text) => text.slice(0, 15)],
    ['another secret', (text, other) => text.slice(0, 16) + other.slice(16)],
    ['another id', (text) => `ob_${'0'.repeat(12)}_${text.slice(16)}`],
    ['a truncated secret', (text) => text.slice(0, -1)],
    ['a secret with text after it', (text) => `${text}x`],
    ['a space before it', (text) => ` ${text}`],
    ['two keys', (text) => `${text}, ${text}`],
    ['capitals', (text) => text.toUpperCase()],
  ])('%s is rejected', (_, change) => {
    const { ctx, text } = aKey();
    const { text: other } = aKey(ctx);

    expect(readApiKey(ctx.store, change(text, other))).toBeNull();
  });

  test('a revoked key is rejected, and revoking it again changes nothing', () => {
    const { ctx, text, id } = aKey();
    revokeApiKey(ctx.store, id, ctx.now());
    const before = ctx.store.apiKeys.byId(id);
    ctx.clock.nowMs += 1000;
    revokeApiKey(ctx.store, id, ctx.now());

    expect(readApiKey(ctx.store, text)).toBeNull();
    expect(ctx.store.apiKeys.byId(id)).toEqual(before);
  });

  test('a key that does not exist cannot be revoked', () => {
    const ctx = testContext();

    expect(() => revokeApiKey(ctx.store, 'x', ctx.now())).toThrow(refusal('not_found') as Error);
  });

  test.each(['', 'x'.repeat(61), 'a\nb', 'a\u202Eb'])('the label %j is rejected', (label) => {
    expect(() => aKey(testContext(), label)).toThrow(refusal('validation_failed') as Error);
  });

  test('the store does not know the secret', () => {
    const { ctx, text } = aKey();

    expect(JSON.stringify(dumpOf(ctx))).not.toContain(text.slice(16));
  });
});
