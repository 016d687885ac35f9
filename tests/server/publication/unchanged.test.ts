import { expect, test } from 'vitest';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import type { Publisher } from '#server/publication/publisher.ts';
import { type VisibilityChange, changeVisibility } from '#server/operator/visibility.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aPublisher, reporting } from '#tests/support/board/publisher.ts';

interface IdleBoard {
  ctx: TestContext;
  publisher: Publisher;
  rendered: string[];
  checked: number[];
}

/** A published board on which ada is ranked, and how often it is checked and rendered from then on. */
async function anIdleBoard(): Promise<IdleBoard> {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
  const rendered: string[] = [];
  const checked: number[] = [];
  const publisher = aPublisher(ctx, {
    render: reporting(rendered),
    onChecked: () => void checked.push(ctx.clock.nowMs),
  });
  await publisher.start();
  rendered.length = 0;
  checked.length = 0;
  return { ctx, publisher, rendered, checked };
}

function aChallenge({ store, ruleset, now }: TestContext): string {
  const terms = { title: 'March', description: 'A test.', metric: 'yield', tool: null };
  const days = { first_day: '2026-03-12', last_day: '2026-03-20' };
  const request = { id: 'march', ...terms, ...days, eligibility: {} };
  return createChallenge(store, request, { ruleset, now: now() });
}

function setProfile(ctx: TestContext, profile: { bio?: string; display_name?: string }): void {
  const empty = { display_name: null, bio: null, location: null, links: '[]', cohort_id: null };
  const id = ctx.store.operators.byCodename('ada')?.id ?? 0;
  ctx.store.transaction(() => ctx.store.operators.setProfile(id, { ...empty, ...profile }));
}

function see(ctx: TestContext, change: VisibilityChange): void {
  ctx.store.transaction(() => changeVisibility(ctx, 1, change));
}

const storedIds = (ctx: TestContext) => query(ctx, 'SELECT id FROM publications ORDER BY id');

test('without changes, a board stores no publication and renders no page, but is still checked', async () => {
  const { ctx, publisher, rendered, checked } = await anIdleBoard();
  const { edition } = publisher;
  const stored = storedIds(ctx);
  ctx.clock.nowMs += 3_600_000;

  await publisher.publish();

  expect(storedIds(ctx)).toEqual(stored);
  expect(rendered).toEqual([]);
  expect(publisher.edition).toBe(edition);
  expect(checked).toEqual([ctx.clock.nowMs]);
  expect(edition?.publication).toMatchObject({
    generated_at: '2026-03-10T12:00:00.000Z',
    next_refresh_at: '2026-03-10T14:00:00.000Z',
  });

  await publisher.publishNow({ hides: false });
  expect(rendered).toEqual(['/']);
});

test('a failed publication is made later although nothing has changed since', async () => {
  const page = { status: 200 };
  const ctx = testContext();
  const publisher = aPublisher(ctx, { render: () => Promise.resolve(new Response('', page)) });
  await publisher.start();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
  page.status = 500;
  await expect(publisher.publish()).rejects.toThrow('answered 500');
  page.status = 200;

  await publisher.publish();

  expect(publisher.edition?.publication.window('30d').total('yield')).toBe(1);
});

const CHANGES: Record<string, (ctx: TestContext) => unknown> = {
  'a log entry': async (ctx) =>
    submit(ctx, await anEnrolledDevice(ctx, 'bob'), bucketsOfDays(9, '2026-03-01')),
  'a display name': (ctx) => setProfile(ctx, { display_name: 'Ada' }),
  'a profile': (ctx) => setProfile(ctx, { bio: 'Mathematics' }),
  'a codename': (ctx) => see(ctx, { codename: 'lovelace' }),
  'who is in figures of many': (ctx) => see(ctx, { data_opt_out: 1 }),
  visibility: (ctx) => see(ctx, { privacy_mode: 'anonymous' }),
  'a hidden operator': (ctx) => hideOperator(ctx, { kind: 'hide', name: 'bob', reason: 'x' }),
  'a challenge': aChallenge,
  'a canceled challenge': (ctx) => {
    cancelChallenge(ctx.store, { id: 'march', reason: 'x', now: ctx.now() });
  },
  'a UTC day': ({ clock }) => (clock.nowMs += 86_400_000),
};

test('each change of public data is published once', async () => {
  const { ctx, publisher, rendered } = await anIdleBoard();
  for (const [name, change] of Object.entries(CHANGES)) {
    await change(ctx);
    rendered.length = 0;

    await publisher.publish();
    await publisher.publish();

    expect([name, ...rendered]).toEqual([name, '/']);
  }
});
