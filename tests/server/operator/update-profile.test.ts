import { describe, expect, test, vi } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { ProfileChange } from '#core/schema/profile.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import type { Written } from '#server/context.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { shownProfile } from '#server/operator/profile.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  dumpOf,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const COHORTS = [{ id: 'lab', name: 'The laboratory' }];

async function aScene() {
  const ctx = testContext();
  ctx.config.signIn = { ...ctx.config.signIn, cohorts: COHORTS };
  const { id } = anOperator(ctx, 'ada');
  await anEnrolledDevice(ctx, 'ada');
  const publishNow = vi.fn((_: Written) => Promise.resolve());
  ctx.publications.publishNow = publishNow;
  return { ctx, id, publishNow };
}

function change(ctx: TestContext, id: number, body: object) {
  return updateProfile(ctx, id, parseAs(ProfileChange, body, 'The body'));
}

const FULL = {
  display_name: 'Ada Lovelace',
  bio: 'I write programs.\nFor machines.',
  location: 'London',
  links: ['https://ada.example.org/'],
  cohort_id: 'lab',
};

describe('updateProfile()', () => {
  test('changes the given members, keeps absent ones, and clears members that are null or empty', async () => {
    const { ctx, id } = await aScene();

    await expect(change(ctx, id, FULL)).resolves.toMatchObject(FULL);
    await expect(change(ctx, id, {})).resolves.toMatchObject(FULL);
    await expect(
      change(ctx, id, { bio: null, location: '  ', links: null }),
    ).resolves.toMatchObject({ ...FULL, bio: null, location: null, links: [] });
    await expect(change(ctx, id, { cohort_id: '' })).resolves.toMatchObject({ cohort_id: null });
  });

  test('shows the profile only while the operator is identified', async () => {
    const { ctx, id } = await aScene();
    const shown = () => shownProfile(ctx, operatorOf(ctx, id));
    await change(ctx, id, FULL);
    const { display_name, bio, location, links } = FULL;

    expect(Object.values(shown())).toEqual([null, null, null, null, null, null]);
    await change(ctx, id, { privacy_mode: 'identified' });
    expect(shown()).toEqual({
      display_name,
      bio,
      location,
      links,
      cohort: COHORTS[0],
      avatar_url: null,
    });
    await change(ctx, id, { privacy_mode: 'anonymous' });
    expect(Object.values(shown())).toEqual([null, null, null, null, null, null]);
  });

  test('publishes public changes immediately, and nothing else', async () => {
    const { ctx, id, publishNow } = await aScene();

    await change(ctx, id, FULL);
    expect(publishNow).toHaveBeenCalledTimes(0);
    await change(ctx, id, { privacy_mode: 'identified' });
    expect(publishNow).toHaveBeenCalledTimes(1);
    await change(ctx, id, { location: 'Turin' });
    expect(publishNow).toHaveBeenCalledTimes(2);
    await change(ctx, id, { location: 'Turin' });
    expect(publishNow).toHaveBeenCalledTimes(2);
    await change(ctx, id, { privacy_mode: 'private' });
    expect(publishNow).toHaveBeenCalledTimes(3);
  });

  test.each([
    ['more profile data', { bio: 'New' }, false],
    ['the same and more', { display_name: 'Ada', location: 'London' }, false],
    ['another name', { display_name: 'Countess' }, true],
    ['no name', { display_name: null }, true],
    ['one link less', { links: [] }, true],
    ['less profile data', { privacy_mode: 'pseudonymous' }, true],
    ['nobody', { privacy_mode: 'private' }, true],
  ])('drops earlier publications if something was removed: %s', async (_, body, hides) => {
    const { ctx, id, publishNow } = await aScene();
    const links = ['https://ada.example.org/'];
    await change(ctx, id, { privacy_mode: 'identified', display_name: 'Ada', links });
    publishNow.mockClear();

    await change(ctx, id, body);
    expect(publishNow.mock.calls).toEqual([[{ hides }]]);
  });

  test.each(['pseudonymous', 'identified', 'anonymous'])(
    'drops no earlier publications for an operator who was private and is now %s',
    async (privacy_mode) => {
      const { ctx, id, publishNow } = await aScene();
      await change(ctx, id, { privacy_mode: 'private' });
      publishNow.mockClear();

      await change(ctx, id, { privacy_mode });
      expect(publishNow.mock.calls).toEqual([[{ hides: false }]]);
    },
  );

  test('responds only after the change is published', async () => {
    const { ctx, id } = await aScene();
    const gate = Promise.withResolvers<undefined>();
    ctx.publications.publishNow = () => gate.promise;
    let answered = false;

    const answer = change(ctx, id, { privacy_mode: 'private' }).then(() => (answered = true));
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    gate.resolve(undefined);
    await answer;
  });

  test.each([
    ['#/display_name', { display_name: 'x'.repeat(81) }],
    ['#/display_name', { display_name: 'a\u202eb' }],
    ['#/display_name', { display_name: 'a\nb' }],
    ['#/bio', { bio: 'x'.repeat(501) }],
    ['#/bio', { bio: 'a\u0000b' }],
    ['#/location', { location: 'x'.repeat(81) }],
    ['#/links/0', { links: ['http://ada.example.org'] }],
    ['#/links/0', { links: ['javascript:alert(1)'] }],
    ['#/links/0', { links: ['no address'] }],
    ['#/links/0', { links: ['https://ada:secret@example.org'] }],
    ['#/links/0', { links: [`https://example.org/${'x'.repeat(200)}`] }],
    ['#/links', { links: Array(4).fill('https://example.org') }],
    ['#/cohort_id', { cohort_id: 'elsewhere' }],
    ['#/privacy_mode', { privacy_mode: 'secret' }],
    ['#', { codename: 'grace' }],
  ])('reports an error at %s for %j', async (pointer, body) => {
    const { ctx, id } = await aScene();
    const before = dumpOf(ctx);

    const refused = Promise.resolve().then(() => change(ctx, id, body));
    await expect(refused).rejects.toThrow(refusal('validation_failed', pointer));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('counts characters as people do, and accepts the line breaks of forms', async () => {
    const { ctx, id } = await aScene();

    const { display_name, bio } = await change(ctx, id, {
      display_name: '\u{1F3A9}'.repeat(80),
      bio: 'one\r\ntwo',
    });
    expect([...(display_name ?? '')]).toHaveLength(80);
    expect(bio).toBe('one\ntwo');
  });

  test('throws not_found after the account is deleted', async () => {
    const { ctx } = await aScene();

    await expect(change(ctx, 77, { bio: 'x' })).rejects.toThrow(refusal('not_found'));
  });
});

describe('setDataOptOut()', () => {
  test('enters the log and publishes only when it changes something', async () => {
    const { ctx, id, publishNow } = await aScene();
    const before = ctx.store.log.lastOfKind('visibility')?.log_index;

    await expect(setDataOptOut(ctx, id, { opt_out: false })).resolves.toEqual({ opt_out: false });
    expect(ctx.store.log.lastOfKind('visibility')?.log_index).toBe(before);
    expect(publishNow).toHaveBeenCalledTimes(0);
    await expect(setDataOptOut(ctx, id, { opt_out: true })).resolves.toEqual({ opt_out: true });
    // The medians of earlier publications include the operator.
    expect(publishNow.mock.calls).toEqual([[{ hides: true }]]);
    const entry = ctx.store.log.lastOfKind('visibility');
    expect(Buffer.from(entry?.payload ?? '').toString()).toContain('"data_opt_out":true');
    expect(operatorOf(ctx, id)).toMatchObject({ data_opt_out: 1, privacy_mode: 'pseudonymous' });
  });

  test('hides operators on a cohort leaderboard, and publishes nothing for private operators', async () => {
    const { ctx, id, publishNow } = await aScene();
    await change(ctx, id, { cohort_id: 'lab', privacy_mode: 'identified' });
    publishNow.mockClear();

    await setDataOptOut(ctx, id, { opt_out: true });
    expect(publishNow.mock.calls).toEqual([[{ hides: true }]]);

    await change(ctx, id, { privacy_mode: 'private' });
    publishNow.mockClear();
    await setDataOptOut(ctx, id, { opt_out: false });
    expect(publishNow).toHaveBeenCalledTimes(0);
  });
});

describe('changes that show more of an operator', () => {
  test('are limited for each operator, but hiding never is', async () => {
    const { ctx, id } = await aScene();
    const { quota } = LIMITS.visibility;
    const show = () => change(ctx, id, { privacy_mode: 'pseudonymous' });
    const hide = () => change(ctx, id, { privacy_mode: 'private' });
    for (let times = 0; times < quota; times += 1) {
      await hide();
      await show();
    }
    await change(ctx, id, { privacy_mode: 'anonymous' });

    await expect(show()).rejects.toThrow(refusal('quota_exceeded'));
    await hide();
    await expect(show()).rejects.toThrow(refusal('quota_exceeded'));
    expect(operatorOf(ctx, id).public_name).toBeNull();

    ctx.clock.nowMs += LIMITS.visibility.windowSeconds * 1000;
    await expect(show()).resolves.toMatchObject({ public_name: 'ada' });
  });

  test('are limited per day as well', async () => {
    const { ctx, id } = await aScene();
    const { quota } = LIMITS.visibility_day;
    for (let times = 0; times < quota; times += 1) {
      ctx.clock.nowMs += LIMITS.visibility.windowSeconds * 1000;
      await setDataOptOut(ctx, id, { opt_out: true });
      await setDataOptOut(ctx, id, { opt_out: false });
    }
    ctx.clock.nowMs += LIMITS.visibility.windowSeconds * 1000;
    await setDataOptOut(ctx, id, { opt_out: true });

    const again = setDataOptOut(ctx, id, { opt_out: false });

    await expect(again).rejects.toThrow(refusal('quota_exceeded'));
    expect(operatorOf(ctx, id).data_opt_out).toBe(1);
  });

  test('can be undone at the limit, and private operators can still edit their profile', async () => {
    const { ctx, id } = await aScene();
    await change(ctx, id, { privacy_mode: 'identified' });
    for (let times = 0; times < LIMITS.visibility.quota; times += 1) {
      await change(ctx, id, { display_name: `Ada ${times}` });
    }
    const another = () => change(ctx, id, { display_name: 'Another' });

    await expect(another()).rejects.toThrow(refusal('quota_exceeded'));
    await expect(change(ctx, id, { display_name: null })).resolves.toBeDefined();
    await change(ctx, id, { privacy_mode: 'private' });
    await expect(another()).resolves.toMatchObject({ display_name: 'Another' });
  });
});
