/** Which answers say when other machines stop showing what a change hid. */
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/account/delete-account.ts';
import { removeAvatar, setAvatar } from '#server/operator/set-avatar.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  testContext,
} from '#tests/support/board/context.ts';
import { pictureOf } from '#tests/support/pages/pictures.ts';

/** An identified operator with a picture, on a board with an object store. */
async function aScene(isReachable = true) {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'ada');
  await anEnrolledDevice(ctx, 'ada');
  await updateProfile(ctx, id, { privacy_mode: 'identified', bio: 'About me' });
  await setAvatar(ctx, id, await pictureOf('png'));
  ctx.objectStore = { status: { isReachable } } as never;
  return { ctx, id };
}

type Change = (ctx: TestContext, id: number) => Promise<object>;

const HIDING: Readonly<Record<string, Change>> = {
  'becoming private': (ctx, id) => updateProfile(ctx, id, { privacy_mode: 'private' }),
  'removing a text': (ctx, id) => updateProfile(ctx, id, { bio: null }),
  'a new codename': (ctx, id) => setCodename(ctx, id, 'countess'),
  'another picture': async (ctx, id) => setAvatar(ctx, id, await pictureOf('jpeg')),
  'removing the picture': (ctx, id) => removeAvatar(ctx, id),
  'opting out': (ctx, id) => setDataOptOut(ctx, id, { opt_out: true }),
  'deleting the account': (ctx, id) => deleteAccount(ctx, id, 'ada'),
};

const SHOWING: Readonly<Record<string, Change>> = {
  'no change': (ctx, id) => updateProfile(ctx, id, { bio: 'About me' }),
  'adding a text': (ctx, id) => updateProfile(ctx, id, { location: 'London' }),
  'the same codename': (ctx, id) => setCodename(ctx, id, 'ada'),
  'not opting out': (ctx, id) => setDataOptOut(ctx, id, { opt_out: false }),
};

describe('other_machines', () => {
  test.each(Object.entries(HIDING))('is in the answer to %s', async (_, change) => {
    const { ctx, id } = await aScene();
    expect(await change(ctx, id)).toMatchObject({ other_machines: 'within_2_seconds' });
    const failing = await aScene(false);
    expect(await change(failing.ctx, failing.id)).toMatchObject({
      other_machines: 'within_30_seconds',
    });
  });

  test.each(Object.entries(SHOWING))('is not in the answer to %s', async (_, change) => {
    const { ctx, id } = await aScene();
    expect(await change(ctx, id)).not.toHaveProperty('other_machines');
  });

  test('is not in answers about an operator whom nobody sees', async () => {
    const { ctx, id } = await aScene();
    await updateProfile(ctx, id, { privacy_mode: 'private' });
    for (const name of ['removing a text', 'removing the picture', 'opting out']) {
      expect(await HIDING[name]?.(ctx, id)).not.toHaveProperty('other_machines');
    }
  });

  test.each(Object.entries(HIDING))(
    'without an object store, %s says nothing',
    async (_, change) => {
      const { ctx, id } = await aScene();
      ctx.objectStore = null;
      expect(await change(ctx, id)).not.toHaveProperty('other_machines');
    },
  );
});
