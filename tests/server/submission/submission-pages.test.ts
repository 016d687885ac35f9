import { describe, expect, test } from 'vitest';
import { readSubmission, readSubmissions } from '#server/submission/submissions.ts';
import {
  findSubmission,
  findSubmissions,
  submissionsViewOf,
} from '#server/submission/submission-pages.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

async function aScene() {
  const ctx = testContext();
  const ada = await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket()]);
  const bob = await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]);
  return { ctx, ada: ada.answer, bob: bob.answer };
}

const find = (ctx: TestContext, query: string) =>
  findSubmissions(ctx, submissionsViewOf(new URLSearchParams(query)));

describe('submissionsViewOf()', () => {
  test('ignores unknown values', () => {
    const view = submissionsViewOf(new URLSearchParams('trust=none&after=x&codename=+Ada+&y=1'));

    expect(view).toEqual({ codename: 'ada', trust: 'all', after: null });
  });
});

describe('findSubmissions()', () => {
  test('finds what the API lists', async () => {
    const { ctx, bob } = await aScene();

    const list = (query: object) => readSubmissions(ctx, SubmissionsQuery.parse(query));
    expect(await find(ctx, '')).toEqual({ codename: null, ...list({}) });
    expect(await find(ctx, 'codename=bob&trust=signed')).toEqual({
      codename: 'bob',
      ...list({ codename: 'bob', trust: 'signed' }),
    });
    const after = String(bob.log_index);
    expect(await find(ctx, `after=${after}`)).toMatchObject(list({ cursor: after }));
  });

  test('finds no operators without a page, and none by an invalid name', async () => {
    const { ctx } = await aScene();
    execute(ctx, `UPDATE operators SET is_open = 0 WHERE codename = 'bob'`);

    for (const name of ['nobody', 'bob', 'x', "' OR 1=1"]) {
      expect(await find(ctx, new URLSearchParams({ codename: name }).toString())).toBeNull();
    }
    expect((await find(ctx, ''))?.entries.map(({ codename }) => codename)).toEqual(['ada']);
  });
});

describe('findSubmission()', () => {
  test('finds public submissions', async () => {
    const { ctx, ada, bob } = await aScene();
    execute(ctx, `UPDATE operators SET is_open = 0 WHERE codename = 'bob'`);

    expect(await findSubmission(ctx, ada.id)).toEqual(readSubmission(ctx, ada.id));
    for (const id of [bob.id, 'x', '', ada.id.toUpperCase()]) {
      expect(await findSubmission(ctx, id)).toBeNull();
    }
  });
});
