import { expect, test } from 'vitest';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readSocialCard } from '#server/board/badge.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { publish, testContext } from '#tests/support/board/context.ts';

test("readSocialCard() has the first five of the front page's board", () => {
  const ctx = aBoard(10);
  const { entries, ...rest } = readSocialCard(ctx);
  expect(rest).toEqual({
    window: '30d',
    metric: 'yield',
    tool: 'claude-code',
    tools: ['claude-code'],
    as_of: '2026-03-10',
    total: 10,
    unranked: 1,
  });
  expect(entries.map(({ codename, rank }) => [codename, rank])).toEqual([
    ['op-8', 1],
    ['op-9', 1],
    ['op-6', 3],
    ['op-7', 3],
    ['op-4', 5],
  ]);
});

test('readSocialCard() shows operators like the board', async () => {
  const ctx = testContext();
  const names = ['hidden', 'anonymous', 'private', 'open', 'other'];
  names.forEach((name, at) =>
    anActive(ctx, `op-${name}`, tenDays({ output: 20_000 - 1_000 * at })),
  );
  const idOf = (name: string) => ctx.store.operators.byCodename(name)?.id ?? 0;
  hideOperator(ctx, { kind: 'hide', name: 'op-hidden', reason: 'A test' });
  await updateProfile(ctx, idOf('op-anonymous'), { privacy_mode: 'anonymous' });
  await updateProfile(ctx, idOf('op-private'), { privacy_mode: 'private' });
  publish(ctx);

  const shown = readSocialCard(ctx).entries.map(({ codename }) => codename);

  expect(shown).toEqual([expect.stringMatching(/^anonymous-/), 'op-open', 'op-other']);
});

test('readSocialCard() works without operators', () => {
  const ctx = testContext();
  publish(ctx);
  expect(readSocialCard(ctx)).toMatchObject({ tool: null, total: 0, unranked: 0, entries: [] });
});
