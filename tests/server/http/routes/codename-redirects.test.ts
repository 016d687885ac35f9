import { expect, test } from 'vitest';
import { DomainError } from '#core/domain/text/errors.ts';
import { giveUpCodename } from '#server/operator/codenames.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { movedResponse } from '#server/http/routes/codename-redirects.ts';
import { aBoard } from '#tests/support/board/boards.ts';
import { anUpload } from '#tests/support/http/http-layer.ts';

test.each([
  ['/operators/operator?x=1', '/operators/op-0?x=1'],
  ['/api/v1/operators/operator/history', '/api/v1/operators/op-0/history'],
])('%s redirects to %s, although the path begins like a name', (from, to) => {
  const { ctx, moved } = aReader();
  giveUpCodename(ctx, 'operator', ctx.store.operators.byCodename('op-0')?.id ?? 0);

  expect(moved(from, { codename: 'operator' })?.headers.get('location')).toBe(to);
});

test.each([
  ['/api/v1/submissions?codename=operator&limit=2', '/api/v1/submissions?codename=op-0&limit=2'],
  ['/api/v1/submissions?codename=OP-0', '/api/v1/submissions?codename=op-0'],
  ['/api/v1/submissions?codename=nobody', undefined],
  ['/api/v1/submissions', undefined],
])('%s redirects to %s', (from, to) => {
  const { ctx, moved } = aReader();
  giveUpCodename(ctx, 'operator', ctx.store.operators.byCodename('op-0')?.id ?? 0);

  expect(moved(from, {})?.headers.get('location')).toBe(to);
});

test.each(['/operators/OP-0', '/operators/Operator'])(
  '%s in capitals redirects to op-0',
  (from) => {
    const { ctx, moved } = aReader();
    giveUpCodename(ctx, 'operator', ctx.store.operators.byCodename('op-0')?.id ?? 0);

    const codename = from.slice('/operators/'.length);
    expect(moved(from, { codename })?.headers.get('location')).toBe('/operators/op-0');
  },
);

test.each(['private', 'anonymous'] as const)(
  'no name redirects to an operator who is %s',
  (privacy_mode) => {
    const { ctx, moved } = aReader();
    const id = ctx.store.operators.byCodename('op-0')?.id ?? 0;
    giveUpCodename(ctx, 'operator', id);
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));

    for (const name of ['operator', 'OP-0', 'Operator']) {
      expect(moved(`/operators/${name}`, { codename: name })).toBeNull();
      expect(moved(`/api/v1/submissions?codename=${name}`, {})).toBeNull();
    }
  },
);

/** A board with one operator, and the target of an address with an unknown name. */
function aReader() {
  const ctx = aBoard(1);
  const visitor = {
    requestId: 'r',
    client: 'c',
    peer: '',
    apiKey: null,
    upload: anUpload(),
    refusedBody: null,
  };
  const error = new DomainError('not_found', 'x');
  const moved = (from: string, params: Record<string, string>) =>
    movedResponse(error, {
      params,
      url: new URL(from, ctx.config.baseUrl),
      locals: { ctx, ...visitor },
    });
  return { ctx, moved };
}
