import { describe, expect, test } from 'vitest';
import { adapterOver } from '#server/identity/provider/provider-adapter.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';

const refuse = () => {
  throw new Error('used before');
};

const adapter = (ctx: TestContext, kind: string) => {
  return adapterOver(ctx.store, 'https://board.example.org/oauth/authorize', refuse)(kind);
};

describe('the adapter of the provider', () => {
  test('lets an entity be used once, and revokes the grant on the second use', async () => {
    const ctx = testContext();
    const { public_id: accountId } = anOperator(ctx, 'ada');
    const codes = adapter(ctx, 'AuthorizationCode');
    const grants = adapter(ctx, 'Grant');
    await grants.upsert('g', { accountId }, 60);
    await codes.upsert('c', { accountId, grantId: 'g' }, 60);

    await codes.consume('c');
    const once = await grants.find('g');
    await expect(codes.consume('c')).rejects.toThrow('used before');

    expect(once).toMatchObject({ accountId, jti: 'g' });
    expect(await grants.find('g')).toBeUndefined();
    expect(await codes.find('c')).toBeUndefined();
  });

  test('keeps no entities of deleted accounts, and no expired entities', async () => {
    const ctx = testContext();
    const grants = adapter(ctx, 'Grant');

    await grants.upsert('of nobody', { accountId: 'nobody' }, 60);
    await grants.upsert('over', {}, -1);

    expect(await grants.find('of nobody')).toBeUndefined();
    expect(await grants.find('over')).toBeUndefined();
  });

  test('restores an interaction completely, although its ID is not stored', async () => {
    const ctx = testContext();
    const interactions = adapter(ctx, 'Interaction');
    const returnTo = 'https://board.example.org/oauth/authorize/i';

    await interactions.upsert('i', { jti: 'i', returnTo, params: { state: 's' } }, 60);

    expect(await interactions.find('i')).toEqual({ jti: 'i', returnTo, params: { state: 's' } });
  });
});
