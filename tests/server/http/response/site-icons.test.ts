import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTouchIcon } from '#core/domain/text/file-paths.ts';
import type { PreparedResponse } from '#server/http/response/prepared-response.ts';
import { DEFAULT_SITE, siteFile } from '#server/config/site.ts';
import { prepareIcons, webManifest } from '#server/http/response/site-icons.ts';

const fileOf = (name: string) =>
  readFileSync(new URL(`../../../../public/${name}`, import.meta.url));

/** The files of a board whose own icon has this type; the default icon if null. */
async function filesOf(extension: string | null) {
  const files = new Map<string, PreparedResponse>();
  const own = siteFile(`logo.${extension ?? ''}`, `image/${extension ?? ''}`, Buffer.from('own'));
  const icon = extension === null ? DEFAULT_SITE.icon : own.address;
  const ours = {} as PreparedResponse;
  files.set('/favicon.ico', ours).set('/apple-touch-icon.png', ours);
  await prepareIcons(files, { site: { ...DEFAULT_SITE, icon }, siteFiles: [own] });
  const kindOf = (address: string) => {
    const file = files.get(address);
    return file === ours ? 'ours' : file?.headers['Content-Type'];
  };
  return ['/favicon.ico', '/apple-touch-icon.png', '/site.webmanifest'].map(kindOf);
}

describe('the icons of a board', () => {
  test.each([
    [null, ['ours', 'ours', 'application/manifest+json']],
    ['png', ['image/png', 'image/png', 'application/manifest+json']],
    ['webp', ['image/webp', undefined, 'application/manifest+json']],
  ])('with a logo of %s are %j', async (extension, kinds) => {
    expect(await filesOf(extension)).toEqual(kinds);
  });

  test("are listed in the manifest, with the board's own name and colors", () => {
    expect(webManifest({ ...DEFAULT_SITE, name: 'Bench' })).toMatchObject({
      name: 'Bench',
      short_name: 'Bench',
      start_url: '/',
      background_color: DEFAULT_SITE.colours.light.surface,
      icons: [{ src: '/icon.svg' }, { src: '/apple-touch-icon.png', sizes: '180x180' }],
    });
    const icon = '/board/logo-1.svg';
    expect(webManifest({ ...DEFAULT_SITE, icon })).toMatchObject({ icons: [{ src: icon }] });
    expect(hasTouchIcon(icon)).toBe(false);
  });

  test('are valid files of the stated sizes', () => {
    const ico = fileOf('favicon.ico');
    expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
    expect(ico.readUInt32LE(18) + ico.readUInt32LE(14)).toBe(ico.length);
    const sizeOf = (png: Buffer) => [
      png.toString('latin1', 1, 4),
      png.readUInt32BE(16),
      png.readUInt32BE(20),
    ];
    expect(sizeOf(ico.subarray(22))).toEqual(['PNG', 32, 32]);
    expect(sizeOf(fileOf('apple-touch-icon.png'))).toEqual(['PNG', 180, 180]);
  });
});
