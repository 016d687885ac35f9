import { describe, expect, test, vi } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import { formerName, isCodenameFree } from '#server/operator/codenames.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  dumpOf,
  query,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** An operator with an enrolled device, so that the log contains the codename. */
async function aScene(codename = 'ada'): Promise<{ ctx: TestContext; id: number }> {
  const ctx = testContext();
  const { id } = anOperator(ctx, codename);
  await anEnrolledDevice(ctx, codename);
  return { ctx, id };
}

/** An account as the first sign-in creates it. */
function aFreshAccount(ctx: TestContext): number {
  const created_at = ctx.now().toISOString();
  const account = { public_id: crypto.randomUUID(), codename: 'calm-heron-417', created_at };
  return ctx.store.operators.add({ ...account, codename_confirmed: 0 })?.id ?? 0;
}

describe('setCodename()', () => {
  test('renames, enters the log, publishes, and redirects the old name to the new one', async () => {
    const { ctx, id } = await aScene();
    ctx.publications.publishNow = vi.fn(() => Promise.resolve());

    const profile = await setCodename(ctx, id, 'grace');

    expect(profile).toMatchObject({ codename: 'grace', public_name: 'grace' });
    expect(formerName(ctx, 'ada')).toBe('grace');
    expect(isCodenameFree(ctx, 'ada')).toBe(false);
    expect(ctx.publications.publishNow).toHaveBeenCalledExactlyOnceWith({ hides: true });
    const head = ctx.store.log.lastOfKind('visibility');
    expect(Buffer.from(head?.payload ?? '').toString()).toContain('"codename":"grace"');
    expect(ctx.store.accountEvents.ofOperator(id)).toMatchObject([
      { kind: 'codename_changed', detail: 'from ada to grace' },
      { kind: 'device_enrolled', detail: 'Laptop' },
    ]);
  });

  test('publishes nothing for anonymous operators', async () => {
    const { ctx, id } = await aScene();
    await updateProfile(ctx, id, { privacy_mode: 'anonymous' });
    ctx.publications.publishNow = vi.fn(() => Promise.resolve());

    await expect(setCodename(ctx, id, 'grace')).resolves.toMatchObject({ codename: 'grace' });
    expect(ctx.publications.publishNow).not.toHaveBeenCalled();
  });

  test('throws codename_too_soon for 30 days, with the date', async () => {
    const { ctx, id } = await aScene();
    const first = await setCodename(ctx, id, 'grace');
    ctx.clock.nowMs += 30 * DAY_MS - 1;

    await expect(setCodename(ctx, id, 'joan')).rejects.toThrow(first.codename_free_at ?? '-');
    await expect(setCodename(ctx, id, 'joan')).rejects.toThrow(refusal('codename_too_soon'));
    ctx.clock.nowMs += 1;
    await expect(setCodename(ctx, id, 'joan')).resolves.toMatchObject({ codename: 'joan' });
  });

  test('collapses chains, and lets the operator take back a former name', async () => {
    const { ctx, id } = await aScene();
    await setCodename(ctx, id, 'grace');
    ctx.clock.nowMs += 31 * DAY_MS;
    await setCodename(ctx, id, 'joan');

    expect(formerName(ctx, 'ada')).toBe('joan');
    expect(formerName(ctx, 'grace')).toBe('joan');
    ctx.clock.nowMs += 31 * DAY_MS;
    await setCodename(ctx, id, 'grace');
    expect(formerName(ctx, 'joan')).toBe('grace');
    expect(formerName(ctx, 'grace')).toBeNull();
    expect(query(ctx, "SELECT * FROM former_codenames WHERE codename = 'grace'")).toEqual([]);
  });

  test.each(['admin', 'anonymous-x', 'bob', 'old-bob'])(
    'throws codename_taken for %s and changes nothing',
    async (codename) => {
      const { ctx, id } = await aScene();
      const bob = anOperator(ctx, 'old-bob');
      await anEnrolledDevice(ctx, 'old-bob');
      await setCodename(ctx, bob.id, 'bob');
      const before = dumpOf(ctx);

      await expect(setCodename(ctx, id, codename)).rejects.toThrow(refusal('codename_taken'));
      expect({ ...dumpOf(ctx), secrets: before['secrets'] }).toEqual(before);
    },
  );

  test('lets a generated name be confirmed, or replaced without waiting or redirect', async () => {
    const ctx = testContext();
    const id = aFreshAccount(ctx);

    await expect(setCodename(ctx, id, 'grace')).resolves.toMatchObject({
      codename_confirmed: true,
      codename_free_at: null,
    });
    expect(isCodenameFree(ctx, 'calm-heron-417')).toBe(true);
    await expect(setCodename(ctx, id, 'joan')).resolves.toMatchObject({ codename: 'joan' });

    const kept = aFreshAccount(ctx);
    await expect(setCodename(ctx, kept, 'calm-heron-417')).resolves.toMatchObject({
      codename: 'calm-heron-417',
      codename_confirmed: true,
    });
  });

  test('does not redirect former names to anonymous or private operators', async () => {
    const { ctx, id } = await aScene();
    await setCodename(ctx, id, 'grace');
    const seenAs = (privacy_mode: 'anonymous' | 'identified' | 'private') => {
      ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));
      return formerName(ctx, 'ada');
    };

    expect(seenAs('anonymous')).toBeNull();
    expect(seenAs('private')).toBeNull();
    expect(seenAs('identified')).toBe('grace');
  });

  test('does nothing if the name is the same', async () => {
    const { ctx, id } = await aScene();
    const before = dumpOf(ctx);

    await setCodename(ctx, id, 'ada');

    expect(dumpOf(ctx)).toEqual(before);
  });
});
