import Database from 'better-sqlite3';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/account/delete-account.ts';
import { endAnnouncement, setAnnouncement } from '#server/announcement/set-announcement.ts';
import { readChallengePage } from '#server/challenge/challenge-page.ts';
import { databasePath } from '#server/config/config.ts';
import { readIndex, writeIndex } from '#server/facts/facts-index.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { removeAvatar, setAvatar } from '#server/operator/set-avatar.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { thinEarlierDays } from '#server/publication/project/keep-days.ts';
import { Projection } from '#server/publication/projection.ts';
import type { WorkingCopy } from '#server/facts/working-copy.ts';
import { bucketsOfDays, DAY_MS } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { FactsFolder, readerContext } from '#tests/support/board/facts.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';
import { packAllAsRows } from '#tests/support/board/kept-days.ts';
import { revoke } from '#tests/support/board/replacing.ts';
import { unmoveCounts } from '#tests/support/board/unmoved-counts.ts';
import { unpack } from '#tests/support/board/stored-forms.ts';
import { aSubmitter } from '#tests/support/board/small-board.ts';
import { answerOf, boardViews, operatorViews } from '#tests/support/history/public-views.ts';
import { expectSame } from '#tests/support/history/expect-same.ts';

/** A board with stored days and a challenge with final standings, and its facts. */
async function aScene() {
  const ctx = testContext();
  addMarchChallenge(ctx);
  const devices = new Map<string, Awaited<ReturnType<typeof aSubmitter>>>();
  for (const codename of ['ada', 'bob', 'eve']) {
    devices.set(codename, await aSubmitter(ctx, codename, bucketsOfDays(20, '2026-02-15')));
  }
  await updateProfile(ctx, idOf(ctx, 'eve'), { privacy_mode: 'identified', bio: 'Hello' });
  for (const date of ['2026-03-20', '2026-03-21', '2026-03-23']) {
    ctx.clock.nowMs = Date.parse(`${date}T12:00:00.000Z`);
    for (const [codename, device] of devices) {
      if (date === '2026-03-20') {
        await submit(
          ctx,
          device,
          bucketsOfDays(9, '2026-03-12', { output: 900 + codename.length }),
        );
      }
    }
    publishAndKeep(ctx);
  }
  freezeMarch(ctx);
  const folder = new FactsFolder();
  await folder.export(ctx);
  return { ctx, folder, devices };
}

/** Stores final standings that fill several objects. The accounts of most places were deleted. */
function freezeMarch(ctx: TestContext): void {
  const { challenges, log } = ctx.store;
  const { seq } = challenges.byId(MARCH) as ChallengeRow;
  challenges.forgetPlaces(seq);
  const owners = new Map(
    [1, 2, 1_050].map((place, at) => [place, idOf(ctx, ['eve', 'ada', 'bob'][at] ?? '')]),
  );
  const standing = { value: 2, low: 1, high: null, total: 1_000, active_days: 9 };
  const places = Array.from({ length: 1_100 }, (_, at) => {
    const place = { place: at + 1, rank: at + 1, best: at + 1, worst: at + 1 };
    return { ...place, ...standing, operator_id: owners.get(at + 1) ?? 0 };
  });
  challenges.addPlaces(seq, places);
  const frozen = { frozen_at: ctx.now().toISOString(), frozen_log_index: log.head()?.index ?? 0 };
  challenges.freeze({ seq, ...frozen, left_out: '[]', unranked: 0 });
}

type ChallengeRow = NonNullable<ReturnType<TestContext['store']['challenges']['byId']>>;

function idOf({ store }: TestContext, codename: string): number {
  return store.operators.byCodename(codename)?.id ?? 0;
}

/** The kinds of units that were put. */
function kindsOf(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.split('/')[1] ?? ''))].sort();
}

async function aPicture(): Promise<Buffer> {
  const background = { r: 9, g: 99, b: 199 };
  return sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

type Scene = Awaited<ReturnType<typeof aScene>>;

const CHANGES: [string, (scene: Scene) => unknown, string[]][] = [
  ['nothing', () => undefined, []],
  ['a new name', ({ ctx }) => setCodename(ctx, idOf(ctx, 'ada'), 'ada-two'), ['board', 'names']],
  [
    'a profile',
    ({ ctx }) => updateProfile(ctx, idOf(ctx, 'eve'), { display_name: 'Eve' }),
    ['names'],
  ],
  [
    'a picture',
    async ({ ctx }) => setAvatar(ctx, idOf(ctx, 'eve'), await aPicture()),
    ['files', 'pictures'],
  ],
  [
    'a hidden operator',
    ({ ctx }) => hideOperator(ctx, { kind: 'hide', name: 'bob', reason: 'A test.' }),
    ['board', 'challenges', 'names'],
  ],
  [
    'a deleted account',
    ({ ctx }) => deleteAccount(ctx, idOf(ctx, 'bob'), 'bob'),
    ['board', 'challenges', 'days', 'names', 'ranks', 'values'],
  ],
  [
    'a revoked device',
    ({ ctx, devices }) => revoke(ctx, devices.get('ada') as never, 'revoked'),
    ['board', 'operators'],
  ],
  [
    'a submission',
    ({ ctx, devices }) => submit(ctx, devices.get('ada') as never, bucketsOfDays(2, '2026-03-21')),
    ['board', 'names', 'operators'],
  ],
  ['a challenge', ({ ctx }) => addChallenge(ctx), ['board']],
  [
    'an announcement',
    ({ ctx }) =>
      setAnnouncement(ctx, { text: 'Maintenance tonight', link: null, last_day: '2026-03-24' }),
    ['board'],
  ],
  [
    'a setting',
    ({ ctx }) =>
      ctx.store.boardSettings.set({ name: 'name', value: 'Another', set_at: '2026-03-23' }),
    ['board'],
  ],
  [
    'another day',
    ({ ctx }) => {
      ctx.clock.nowMs += DAY_MS;
      publishAndKeep(ctx);
    },
    ['board', 'days', 'ranks', 'values'],
  ],
  ['values that are deleted', ({ ctx }) => thinEarlierDays(ctx.store, '2026-09-01', 1), ['board']],
];

function pageOfMarch(after: number): ReturnType<typeof boardViews>[number] {
  return [`places after ${after}`, (ctx) => readChallengePage(ctx, MARCH, `0.${after}`)];
}

function addChallenge({ store }: TestContext): void {
  const march = store.challenges.byId(MARCH) as ChallengeRow;
  store.challenges.add({ ...march, id: 'another' });
}

/** Publishes, and compares the views of a working copy with those of the board. */
async function expectSameViews(
  ctx: TestContext,
  folder: FactsFolder,
  copy: WorkingCopy,
): Promise<void> {
  const data = publishAndStore(ctx.store, new Projection(ctx.ruleset), ctx.clock.nowMs);
  await folder.export(ctx);
  await copy.use(folder.index as never);
  const board = readerContext(ctx, ctx, data);
  const reader = readerContext(ctx, copy, data);
  const views = [
    ...boardViews(board),
    ...[0, 1_000, 1_040].map(pageOfMarch),
    ...['ada', 'ada-two', 'bob', 'eve'].flatMap((name) => operatorViews(board, name)),
  ];
  for (const [name, view] of views) {
    const expected = await answerOf(view, board);
    expectSame(name, await copy.complete(() => answerOf(view, reader)), expected);
  }
}

describe('planFacts()', () => {
  test.each(CHANGES)('%s: only that is made again', async (_what, change, kinds) => {
    const scene = await aScene();
    const { ctx, folder } = scene;
    await change(scene);
    await folder.export(ctx);
    const whole = new FactsFolder();
    await whole.export(ctx);

    expect(kindsOf(folder.put)).toEqual(kinds);
    expectSame('objects', folder.named(), whole.named());
    expect(folder.objects.size).toBe(whole.objects.size);
  });

  test.each(CHANGES)('%s: a reader answers like the board', async (_what, change) => {
    const scene = await aScene();
    const { ctx, folder } = scene;
    const copy = folder.copy(ctx);
    await copy.use(folder.index as never);
    await change(scene);

    await expectSameViews(ctx, folder, copy);
  });

  test('rows that are not moved into the present form yet are read as well', async () => {
    const { ctx } = await aScene();
    const db = new Database(databasePath(ctx.config));
    unpack(db);
    unmoveCounts(db, 'c.day % 2');
    packAllAsRows(db);
    db.close();
    const folder = new FactsFolder();
    const copy = folder.copy(ctx);

    await expectSameViews(ctx, folder, copy);
  });

  test('a picture that is removed is deleted', async () => {
    const { ctx, folder } = await aScene();
    await setAvatar(ctx, idOf(ctx, 'eve'), await aPicture());
    await folder.export(ctx);
    await removeAvatar(ctx, idOf(ctx, 'eve'));

    const { obsolete } = await folder.export(ctx);

    expect(kindsOf(obsolete)).toEqual(['files', 'pictures']);
  });

  test('an announcement that ended is gone', async () => {
    const { ctx, folder } = await aScene();
    setAnnouncement(ctx, { text: 'Maintenance', link: null, last_day: '2026-03-24' });
    await folder.export(ctx);
    endAnnouncement(ctx);
    await folder.export(ctx);

    const copy = folder.copy(ctx);
    await copy.use(folder.index as never);
    expect(copy.store.announcements.current(ctx.now().toISOString())).toBeUndefined();
  });

  test('after a restore, everything is compared, and only what differs is stored', async () => {
    const { ctx, folder } = await aScene();
    const before = { ...(folder.index as never as object), log_index: 9_999, change: 9_999 };
    ctx.store.operators.setCohort(idOf(ctx, 'ada'), 'red');

    await folder.export(ctx, { before: before as never, recheck: true });
    const whole = new FactsFolder();
    await whole.export(ctx);

    expect(folder.put).toEqual([]);
    expectSame('objects', folder.named(), whole.named());
  });

  test('the index is read as it was written, and not if its bytes changed', async () => {
    const { folder } = await aScene();
    const { key, bytes } = writeIndex(folder.index as never);

    expect(readIndex(key, bytes)).toEqual(folder.index);
    expect(() => readIndex(key, bytes.subarray(1))).toThrow(/damaged/);
    expect(() => readIndex(`${key}0`, bytes)).toThrow(/content/);
    expect(() => readIndex(key, null)).toThrow(/no facts/);
  });
});
