import { describe, expect, test } from 'vitest';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import { findOperatorPage } from '#server/board/operator-page.ts';
import { readFrontPage } from '#server/board/board-page.ts';
import { readSubmission } from '#server/submission/submissions.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import type { TestContext } from '#tests/support/board/context.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { Projection } from '#server/publication/projection.ts';
import { FactsFolder, readerContext } from '#tests/support/board/facts.ts';
import { aSmallBoard } from '#tests/support/board/small-board.ts';

const VIEW = operatorViewOf(new URLSearchParams());

/** A board, its facts, and a reader that uses them. */
async function aScene(mostBytes?: number) {
  const ctx = await aSmallBoard();
  const folder = new FactsFolder();
  const copy = folder.copy(ctx, mostBytes);
  const data = publishAndStore(ctx.store, new Projection(ctx.ruleset), ctx.clock.nowMs);
  const { index } = await folder.export(ctx);
  await copy.use(index);
  const reader = readerContext(ctx, copy, data);
  const page = (codename: string) => copy.complete(() => findOperatorPage(reader, codename, VIEW));
  return { ctx, folder, copy, reader, index, page };
}

function idOf({ store }: TestContext, codename: string): number {
  return store.operators.byCodename(codename)?.id ?? 0;
}

describe('loading', () => {
  test('an operator is read when a page needs it, and once', async () => {
    const { ctx, folder, page } = await aScene();
    const id = idOf(ctx, 'ada');
    const reads = () =>
      folder.read.filter((key) => key.startsWith(`facts/operators/${id}/`)).length;
    expect(reads()).toBe(0);

    const pages = await Promise.all([page('ada'), page('ada'), page('ada')]);

    expect(pages.map(({ sheet }) => sheet?.codename)).toEqual(['ada', 'ada', 'ada']);
    expect(reads()).toBe(1);
    expect(folder.read.some((key) => key.startsWith(`facts/operators/${idOf(ctx, 'eve')}/`))).toBe(
      false,
    );
  });

  test('all operators of a list are read together', async () => {
    const { folder, copy, reader } = await aScene();
    let runs = 0;

    await copy.complete(async () => {
      runs += 1;
      await readFrontPage(reader).details();
    });

    expect(runs).toBe(2);
    expect(folder.read.filter((key) => key.startsWith('facts/operators/'))).toHaveLength(3);
  });

  test('what was read least recently is dropped, but not while it is used', async () => {
    const { folder, page } = await aScene(1);

    for (const codename of ['ada', 'eve', 'ada']) {
      expect((await page(codename)).sheet?.codename).toBe(codename);
    }
    const read = folder.read.filter((key) => key.startsWith('facts/operators/'));
    expect(read).toHaveLength(3);
  });
});

describe('hiding', () => {
  test('an operator whom the next index does not name is gone, also for a page that is being made', async () => {
    const { ctx, folder, copy, reader, page } = await aScene();
    await page('ada');
    const id = idOf(ctx, 'ada');
    hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'A test.' });
    const { index, obsolete } = await folder.export(ctx);
    let hasBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const used = begun.then(() => copy.use(index));

    const slow = await copy.complete(async () => {
      hasBegun();
      await used;
      return findOperatorPage(reader, 'ada', VIEW);
    });

    expect(slow.refusal?.code).toBe('not_found');
    expect((await page('ada')).refusal?.code).toBe('not_found');
    expect(obsolete.some((key) => key.startsWith(`facts/operators/${id}/`))).toBe(true);
    expect(copy.store.operators.byId(id)).toBeUndefined();
  });

  test('everything can be forgotten at once', async () => {
    const { index, copy, page } = await aScene();
    await page('ada');

    copy.forget();

    await expect(page('ada')).rejects.toMatchObject({ fault: 'missing' });
    await copy.use(index);
    expect((await page('ada')).sheet?.codename).toBe('ada');
  });
});

describe('errors', () => {
  test('an object that is missing', async () => {
    const { ctx, folder, page } = await aScene();
    for (const key of [...folder.objects.keys()]) {
      if (key.startsWith(`facts/operators/${idOf(ctx, 'ada')}/`)) folder.objects.delete(key);
    }

    await expect(page('ada')).rejects.toMatchObject({ fault: 'missing' });
    expect((await page('eve')).sheet?.codename).toBe('eve');
  });

  test.each([
    ['is no archive', () => Buffer.from('nothing')],
    [
      'has another content',
      (folder: FactsFolder) => [...folder.objects.values()].at(-1) as Uint8Array,
    ],
  ])('an object that %s', async (_what, bytes) => {
    const { ctx, folder, page } = await aScene();
    for (const key of [...folder.objects.keys()]) {
      if (key.startsWith(`facts/operators/${idOf(ctx, 'eve')}/`))
        folder.objects.set(key, bytes(folder));
    }

    await expect(page('eve')).rejects.toMatchObject({ fault: 'damaged' });
  });

  test('an index that cannot be used leaves the one before in use', async () => {
    const { ctx, folder, copy, page } = await aScene();
    ctx.store.operators.setProfile(idOf(ctx, 'ada'), {
      display_name: 'Ada',
      bio: null,
      location: null,
      links: '[]',
      cohort_id: null,
    });
    const { index } = await folder.export(ctx, { settings: { name: 'Another' } });
    folder.objects.delete(
      [...folder.objects.keys()].find((key) => key.startsWith('facts/board/')) ?? '',
    );

    await expect(copy.use(index)).rejects.toMatchObject({ fault: 'missing' });

    expect(copy.settings).toEqual({ name: 'A board' });
    expect((await page('ada')).sheet?.codename).toBe('ada');
  });

  test("what only the board's database has, also if a page turns the error into an answer", async () => {
    const { ctx, copy, reader } = await aScene();
    const [newest] = ctx.store.submissions.page({ operator_id: null, signed: false }, 99, 1);
    const live = { fault: 'live' };

    await expect(
      copy.complete(async () => readSubmission(reader, newest?.id ?? '')),
    ).rejects.toMatchObject(live);
    await expect(
      copy.complete(async () => {
        try {
          return copy.store.sessions.ofOperator(1);
        } catch {
          return 'an answer';
        }
      }),
    ).rejects.toMatchObject(live);
  });
});

test('settings and files come with the index', async () => {
  const { ctx, folder, copy } = await aScene();
  const { index } = await folder.export(ctx, {
    settings: { name: 'Another' },
    files: [Buffer.from('a logo')],
  });
  await copy.use(index);

  const [sha256 = ''] = index.files;
  expect(copy.settings).toEqual({ name: 'Another' });
  expect(Buffer.from((await copy.file(sha256)) ?? []).toString()).toBe('a logo');
  expect(await copy.file('0'.repeat(64))).toBeNull();
});
