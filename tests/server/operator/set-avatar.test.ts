import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { removeAvatar, setAvatar } from '#server/operator/set-avatar.ts';
import type { Written } from '#server/context.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readOwnAvatar, readShownAvatar } from '#server/operator/own-profile.ts';
import { anEnrolledDevice, anOperator, dumpOf, testContext } from '#tests/support/board/context.ts';
import { deflatedZeros, pictureOf, pngOf } from '#tests/support/pages/pictures.ts';
import { refusal } from '#tests/support/http/refusal.ts';

async function aScene() {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'ada');
  await anEnrolledDevice(ctx, 'ada');
  const publishNow = vi.fn((_: Written) => Promise.resolve());
  ctx.publications.publishNow = publishNow;
  return { ctx, id, publishNow };
}

/** A camera location, which must not be in any stored picture. */
const SECRET = 'N 51 30 26 W 0 7 39';

describe('setAvatar()', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'turns a %s into a square, upright WebP without other data of the file',
    async (format) => {
      const { ctx, id } = await aScene();
      const picture = await pictureOf(format, { orientation: 6, secret: SECRET });
      expect(picture.includes(SECRET)).toBe(true);

      await setAvatar(ctx, id, picture);

      const kept = Buffer.from(readOwnAvatar(ctx, id) ?? []);
      const { width, height, format: made, exif, orientation } = await sharp(kept).metadata();
      expect({ width, height, made, exif, orientation }).toEqual({
        width: 256,
        height: 256,
        made: 'webp',
        exif: undefined,
        orientation: undefined,
      });
      expect(kept.includes(SECRET)).toBe(false);
      // Red was on the left. After a quarter turn, it is at the top.
      const pixels = await sharp(kept).removeAlpha().raw().toBuffer();
      const topRight = pixels.subarray(255 * 3, 256 * 3);
      expect([topRight[0], topRight[2]].map((colour) => (colour ?? 0) > 128)).toEqual([
        true,
        false,
      ]);
    },
  );

  test('keeps no data after the end of the picture', async () => {
    const { ctx, id } = await aScene();
    const page = Buffer.from(`<script>alert('${SECRET}')</script>`);

    await setAvatar(ctx, id, Buffer.concat([await pictureOf('png'), page]));

    expect(Buffer.from(readOwnAvatar(ctx, id) ?? []).includes('script')).toBe(false);
  });

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['GIF', Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')],
    ['nothing', Buffer.alloc(0)],
    ['a page that claims to be WebP', Buffer.from('RIFF<html><script>alert(1)</script>')],
  ])('throws unsupported_media_type for %s', async (_, bytes) => {
    const { ctx, id } = await aScene();

    await expect(setAvatar(ctx, id, bytes)).rejects.toThrow(refusal('unsupported_media_type'));
  });

  test.each(['tiff', 'avif', 'gif'] as const)(
    'throws unsupported_media_type for a real %s',
    async (format) => {
      const { ctx, id } = await aScene();
      const refused = setAvatar(ctx, id, await pictureOf(format));

      await expect(refused).rejects.toThrow(refusal('unsupported_media_type'));
    },
  );

  test.each([
    ['a picture of too many pixels', () => pngOf(9000, 9000, deflatedZeros(9000 * 9001))],
    ['a truncated picture', async () => (await pictureOf('jpeg')).subarray(0, 300)],
    ['another truncated picture', async () => (await pictureOf('png')).subarray(0, -20)],
    [
      'SVG with the first bytes of a PNG',
      () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('<svg/>')]),
    ],
    [
      'SVG with the first bytes of a JPEG',
      () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('<svg width="9"/>')]),
    ],
  ])('throws avatar_unacceptable for %s, and changes nothing', async (_, make) => {
    const { ctx, id } = await aScene();
    const bytes = await make();
    const before = dumpOf(ctx);

    const started = Date.now();
    await expect(setAvatar(ctx, id, bytes)).rejects.toThrow(refusal('avatar_unacceptable'));
    expect(Date.now() - started).toBeLessThan(3000);
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('blocks all other formats in the decoder', async () => {
    const { ctx, id } = await aScene();
    await setAvatar(ctx, id, await pictureOf('png'));
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

    await expect(sharp(svg).png().toBuffer()).rejects.toThrow('unsupported image format');
  });

  test('throws payload_too_large for more than 2 MiB', async () => {
    const { ctx, id } = await aScene();
    const large = Buffer.concat([await pictureOf('png'), Buffer.alloc(2 * 1024 * 1024)]);

    await expect(setAvatar(ctx, id, large)).rejects.toThrow(refusal('payload_too_large'));
  });

  test('limits how many pictures wait', async () => {
    const { ctx, id } = await aScene();
    const picture = await pictureOf('png');
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => setAvatar(ctx, id, picture)),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    expect(results[11]).toMatchObject({ reason: refusal('service_unavailable') });
    await expect(setAvatar(ctx, id, picture)).resolves.toMatchObject({ has_avatar: true });
  });

  test('is shown and published immediately, only while its owner is identified', async () => {
    const { ctx, id, publishNow } = await aScene();
    const { avatar_url: hidden } = await setAvatar(ctx, id, await pictureOf('png'));
    expect(publishNow).toHaveBeenCalledTimes(0);
    const { avatar_url } = await updateProfile(ctx, id, { privacy_mode: 'identified' });
    const hash = /([0-9a-f]{64})\.webp$/.exec(avatar_url ?? '')?.[1] ?? '';

    expect(hidden).toBeNull();
    expect(readShownAvatar(ctx, hash)).toEqual(readOwnAvatar(ctx, id));
    await updateProfile(ctx, id, { privacy_mode: 'pseudonymous' });
    expect(readShownAvatar(ctx, hash)).toBeNull();
    await updateProfile(ctx, id, { privacy_mode: 'identified' });
    publishNow.mockClear();
    await expect(removeAvatar(ctx, id)).resolves.toMatchObject({ has_avatar: false });
    expect(publishNow).toHaveBeenCalledOnce();
    expect(readShownAvatar(ctx, hash)).toBeNull();
  });

  test('drops earlier publications for a new picture, but not for the first or the same one', async () => {
    const { ctx, id, publishNow } = await aScene();
    await updateProfile(ctx, id, { privacy_mode: 'identified' });
    publishNow.mockClear();
    const picture = await pictureOf('png');

    await setAvatar(ctx, id, picture);
    await setAvatar(ctx, id, picture);
    expect(publishNow.mock.calls).toEqual([[{ hides: false }]]);
    await setAvatar(ctx, id, await pictureOf('png', { orientation: 3 }));
    expect(publishNow.mock.calls[1]).toEqual([{ hides: true }]);
  });

  test('shows a picture of two operators while one of them shows it', async () => {
    const { ctx, id } = await aScene();
    const bob = anOperator(ctx, 'bob');
    const picture = await pictureOf('png');
    await setAvatar(ctx, id, picture);
    await setAvatar(ctx, bob.id, picture);
    const { avatar_url } = await updateProfile(ctx, bob.id, { privacy_mode: 'identified' });
    const hash = /([0-9a-f]{64})\.webp$/.exec(avatar_url ?? '')?.[1] ?? '';

    expect(readShownAvatar(ctx, hash)).not.toBeNull();
    await removeAvatar(ctx, bob.id);
    expect(readShownAvatar(ctx, hash)).toBeNull();
  });
});
