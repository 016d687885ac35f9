import { expect, test } from 'vitest';
import { DomainError } from '#core/domain/errors.ts';
import { giveUpCodename } from '#server/codenames.ts';
import { movedResponse } from '#server/http/former-names.ts';
import { aBoard } from '#tests/support/boards.ts';

test.each([
  ['/operators/operator?x=1', '/operators/op-0?x=1'],
  ['/api/v1/operators/operator/history', '/api/v1/operators/op-0/history'],
])('%s leads to %s, though the path begins like the name', (from, to) => {
  const ctx = aBoard(1);
  const id = ctx.store.operators.byCodename('op-0')?.id ?? 0;
  giveUpCodename(ctx, 'operator', id);
  const url = new URL(from, ctx.config.baseUrl);
  const visitor = {
    requestId: 'r',
    client: 'c',
    peer: '',
    apiKey: null,
    admitLarge: () => undefined,
    refusedBody: null,
  };
  const locals = { ctx, ...visitor };
  const error = new DomainError('not_found', 'x');

  const moved = movedResponse(error, { params: { codename: 'operator' }, url, locals });

  expect(moved?.headers.get('location')).toBe(to);
});
