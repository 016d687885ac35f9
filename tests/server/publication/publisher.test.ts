import { describe, expect, test } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import type { Pages } from '#server/publication/pages.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import {
  aPublisher,
  publishChange,
  readFrom,
  reporting,
  says,
  untilStored,
} from '#tests/support/board/publisher.ts';

/** A board on which ada is ranked. */
async function aBoardOfAda(): Promise<TestContext> {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
  return ctx;
}

function makePrivate(ctx: TestContext, codename: string): void {
  const id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
}

function textAt(pages: Pages | undefined, address: string): string | undefined {
  return pages?.find(address)?.encodings.identity.bytes.toString();
}

const storedIds = (ctx: TestContext) =>
  query<{ id: number }>(ctx, 'SELECT id FROM publications').map(({ id }) => id);

describe('Publisher', () => {
  test('publishes at startup, with its pages prepared', async () => {
    const ctx = await aBoardOfAda();
    const took: number[] = [];
    const onPublic = (_publication: unknown, tookMs: number) => void took.push(tookMs);
    const publisher = aPublisher(ctx, { onPublic });
    expect(publisher.edition).toBeNull();

    await publisher.start();
    expect(took).toEqual([expect.any(Number)]);
    expect(took[0]).toBeGreaterThan(0);

    const { publication, pages } = publisher.edition ?? {};
    expect(publication).toMatchObject({ log_index: 5, as_of: '2026-03-10' });
    expect(publication?.window('30d').find('yield', 'ada')).toMatchObject({ rank: 1 });
    expect(textAt(pages, '/')).toBe(`/ of ${publication?.id}`);
  });

  test('prepares the pages that were read since the last publication', async () => {
    const rendered: string[] = [];
    const publisher = aPublisher(testContext(), {
      addresses: () => ['/', '/read', '/unread'],
      render: reporting(rendered),
    });
    await publisher.start();
    expect(rendered).toEqual(['/']);
    await readFrom(publisher, '/read', '/operators/ada');

    await publisher.publish();
    await publisher.publish(false);
    expect(rendered).toEqual(['/', '/', '/read']);
    expect(textAt(publisher.edition?.pages, '/read')).toContain('/read of');
    await publisher.publish(false);
    expect(rendered).toEqual(['/', '/', '/read', '/', '/read']);
    await publisher.publish(false);
    expect(rendered).toEqual(['/', '/', '/read', '/', '/read', '/']);
  });

  test('notes the version of what all pages contain before it prepares them', async () => {
    let version = 'first';
    const publisher = aPublisher(testContext(), {
      siteVersion: () => version,
      render: (...asked) => {
        version = 'second';
        return says(...asked);
      },
    });
    await publisher.start();

    expect(publisher.edition?.pages.version).toBe('first');
  });

  test('keeps three publications over a restart', async () => {
    const ctx = testContext();
    const first = aPublisher(ctx);
    await first.start();
    await publishChange(ctx, first);
    await publishChange(ctx, first);
    await publishChange(ctx, first);
    await untilStored(ctx, first);
    await first.close();
    const second = aPublisher(ctx);

    await second.start();

    const current = second.edition?.publication.id ?? 0;
    const kept = [0, 1, 2, 3].map((back) => second.publication(current - back)?.id);
    expect(kept).toEqual([current, current - 1, current - 2, undefined]);
    expect(current).toBe(5);
  });

  test('runs once for concurrent calls', async () => {
    const rendered: string[] = [];
    const publisher = aPublisher(testContext(), { render: reporting(rendered) });
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;

    await Promise.all([1, 2, 3].map(() => publisher.publish(false)));

    expect(publisher.edition?.publication.id).toBe(before + 1);
    expect(rendered).toEqual(['/', '/']);
  });

  test('keeps the public edition if a page of the next one fails', async () => {
    const ctx = testContext();
    const page = { status: 200 };
    const publisher = aPublisher(ctx, { render: () => Promise.resolve(new Response('x', page)) });
    await publisher.start();
    const before = publisher.edition;
    page.status = 500;

    await expect(publisher.publish(false)).rejects.toThrow('Rendering / answered 500');

    expect(publisher.edition).toBe(before);
    page.status = 200;
    await publisher.publish();
    expect(publisher.edition).not.toBe(before);
  });
});

test('leaves out and reports a page that fails, and publishes the others', async () => {
  const ctx = testContext();
  const publisher = aPublisher(ctx, {
    addresses: () => ['/', '/broken', '/board'],
    render: (address, publication) =>
      address === '/broken'
        ? Promise.resolve(new Response('x', { status: 404 }))
        : says(address, publication),
  });
  await publisher.start();
  await readFrom(publisher, '/broken', '/board');

  await publisher.publish(false);

  const { pages } = publisher.edition ?? {};
  expect(textAt(pages, '/board')).toContain('/board of');
  expect(textAt(pages, '/broken')).toBeUndefined();
  expect(ctx.errors).toEqual([new Error('Rendering /broken answered 404')]);
});

describe('publishNow()', () => {
  test('prepares only the front page if something is hidden', async () => {
    const rendered: string[] = [];
    const publisher = aPublisher(testContext(), { render: reporting(rendered) });
    await publisher.start();
    await readFrom(publisher, '/board');

    await publisher.publishNow({ hides: true });

    expect(rendered).toEqual(['/', '/']);
    expect(textAt(publisher.edition?.pages, '/board')).toBeUndefined();
  });

  test('shows what was written during a run, and keeps no earlier publication', async () => {
    const ctx = await aBoardOfAda();
    const publisher = aPublisher(ctx);
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;
    const running = publisher.publish();
    makePrivate(ctx, 'ada');

    await publisher.publishNow({ hides: true });

    await running;
    const { publication } = publisher.edition ?? {};
    expect(publication?.operators.positionOf('ada')).toBeNull();
    expect(publication?.window('30d').total('yield')).toBe(0);
    expect(storedIds(ctx)).toEqual([publication?.id]);
    for (const id of [before, before + 1]) {
      expect(publisher.publication(id)?.operators.positionOf('ada')).toBeNull();
      expect(publisher.publication(id)?.window('30d').total('yield')).toBe(0);
    }
  });

  test('runs again when called during startup, and does not return the result of the startup run', async () => {
    const ctx = await aBoardOfAda();
    const first = aPublisher(ctx);
    await first.start();
    await first.close();
    const second = aPublisher(ctx);
    const started = second.start();
    makePrivate(ctx, 'ada');

    await second.publishNow({ hides: true });

    const { publication } = second.edition ?? {};
    expect(publication?.operators.positionOf('ada')).toBeNull();
    expect(storedIds(ctx)).toEqual([publication?.id]);
    await started;
    expect(second.publication(publication?.id ?? 0)).toBe(publication);
    expect(ctx.errors).toEqual([]);
  });

  test('deletes expired rows', async () => {
    const ctx = await aBoardOfAda();
    const publisher = aPublisher(ctx);
    await publisher.start();
    const now = ctx.now().toISOString();
    const token = { operator_id: 1, created_at: now, expires_at: now };
    ctx.store.loginLinks.add({ ...token, token_hash: 'over' });
    ctx.store.loginLinks.add({ ...token, token_hash: 'good', expires_at: '2999-01-01' });

    await publisher.publish();
    // The row is erased after the publication is public and before the next one.
    await publisher.publish();
    await publisher.close();

    expect(query(ctx, 'SELECT token_hash FROM login_links')).toEqual([{ token_hash: 'good' }]);
  });

  test('runs once more for all who call during a run', async () => {
    const publisher = aPublisher(testContext());
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;
    const running = publisher.publish(false);

    await Promise.all(Array.from({ length: 20 }, () => publisher.publishNow({ hides: true })));

    await running;
    expect(publisher.edition?.publication.id).toBe(before + 2);
  });

  test('pauses as long as the last run took, and runs once for all calls during the pause', async () => {
    const pauses: number[] = [];
    const pause = Promise.withResolvers<undefined>();
    const publisher = aPublisher(testContext(), {
      wait: (ms) => {
        pauses.push(ms);
        return pause.promise;
      },
    });
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;
    await publisher.publishNow({ hides: true });
    expect(pauses).toEqual([]);

    const waiting = Array.from({ length: 20 }, () => publisher.publishNow({ hides: true }));
    pause.resolve(undefined);
    await Promise.all(waiting);

    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(pauses[0]).toBeLessThanOrEqual(2_000);
    expect(publisher.edition?.publication.id).toBe(before + 2);
  });

  test('keeps earlier publications if nothing was hidden, and the board if that fails', async () => {
    const page = { status: 200 };
    const render = () => Promise.resolve(new Response('x', page));
    const publisher = aPublisher(testContext(), { render });
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;

    await publisher.publishNow({ hides: false });
    expect(publisher.publication(before)?.id).toBe(before);
    page.status = 500;

    await expect(publisher.publishNow({ hides: false })).rejects.toThrow('next update');
    expect(publisher.edition?.publication.id).toBe(before + 1);
  });

  test('shows nothing rather than hidden data, until it can publish', async () => {
    const ctx = await aBoardOfAda();
    const page = { status: 200 };
    const publisher = aPublisher(ctx, { render: () => Promise.resolve(new Response('x', page)) });
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;
    makePrivate(ctx, 'ada');
    page.status = 500;

    await expect(publisher.publishNow({ hides: true })).rejects.toThrow('The change is stored');

    expect(publisher.edition).toBeNull();
    expect(publisher.publication(before)).toBeUndefined();
    expect(ctx.errors).toHaveLength(1);
    page.status = 200;
    await publisher.publish();
    expect(publisher.edition?.publication.operators.positionOf('ada')).toBeNull();
    expect(storedIds(ctx)).toEqual([publisher.edition?.publication.id]);
  });

  test('discards hidden data at the next start if the previous process ended before it could publish', async () => {
    const ctx = await aBoardOfAda();
    const first = aPublisher(ctx);
    await first.start();
    await first.publish();
    const cursorId = first.edition?.publication.id ?? 0;
    await first.close();
    makePrivate(ctx, 'ada');
    const second = aPublisher(ctx);

    await second.start();

    expect(second.publication(cursorId)).toBeUndefined();
    expect(storedIds(ctx)).toEqual([second.edition?.publication.id]);
  });
});

test('discards publications in an earlier format, and makes a new one', async () => {
  const ctx = await aBoardOfAda();
  const first = aPublisher(ctx);
  await first.start();
  const { id = 0 } = first.edition?.publication ?? {};
  await first.close();
  execute(ctx, `UPDATE publications SET format = 3; UPDATE publication_parts SET body = x'00'`);
  const second = aPublisher(ctx);

  await second.start();

  expect(second.publication(id)).toBeUndefined();
  expect(second.edition?.publication.operators.positionOf('ada')).toBe(0);
  expect(second.edition?.publication.id).toBeGreaterThan(id);
});
