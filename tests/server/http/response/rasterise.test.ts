import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rasterise, socialPicture } from '#server/http/response/social-picture.ts';
import { aDataDir, publish, testContext } from '#tests/support/board/context.ts';
import { RASTER, lookAt } from '#tests/support/pages/drawn.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const svgOf = (inner: string, size = 40) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${inner}</svg>`;

/** A complete one-pixel picture whose bytes are characters. */
const GIF = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';

/** A script that replaces the drawing script. */
function aScript(source: string): string {
  const path = join(aDataDir(), 'script.mjs');
  writeFileSync(path, source);
  return path;
}

describe('rasterise()', () => {
  test('draws an SVG of the board', async () => {
    const png = await rasterise(RASTER, svgOf('<path d="M0 0h20v40H0z" fill="#f00"/>'));
    const { width, height, colours } = await lookAt(png);
    expect([width, height, colours({})]).toEqual([40, 40, 2]);
  });

  test('reads only its input', async () => {
    const picture = `file://${join(import.meta.dirname, '../../../../public/board.png')}`;
    const inner = `<image href="${picture}" xlink:href="${picture}" width="40" height="40"/>`;
    expect((await lookAt(await rasterise(RASTER, svgOf(inner)))).colours({})).toBe(1);
  });

  test.each([
    ['no SVG', '<svg'],
    ['another format', GIF],
    ['invalid XML', svgOf('<path')],
    ['a picture that is too large', svgOf('', 5000)],
  ])('rejects %s', async (_, svg) => {
    await expect(rasterise(RASTER, svg)).rejects.toThrow('The drawing process ended with 1');
  });

  test('reports why a process failed, even one that reads nothing', async () => {
    const script = aScript(`process.stdin.destroy(); throw new Error('no decoder here');`);
    await expect(rasterise(script, svgOf('').padEnd(1_000_000))).rejects.toThrow('no decoder here');
    await expect(rasterise('/nowhere.mjs', svgOf(''))).rejects.toThrow('/nowhere.mjs');
    await expect(rasterise(aScript(''), svgOf(''))).rejects.toThrow('ended with 0');
  });

  test('ends a process that takes too long, and gives it an empty environment', async () => {
    await expect(rasterise(aScript('setInterval(() => {}, 1000);'), '', 300)).rejects.toThrow(
      'The drawing process ended with SIGKILL',
    );
    const script = aScript('process.stdout.write(JSON.stringify(Object.keys(process.env)));');
    expect(String(await rasterise(script, ''))).toBe('[]');
  });
});

describe('socialPicture()', () => {
  /** A board whose program folder lacks the script that draws. */
  function aBoardThatCannotDraw() {
    const ctx = testContext();
    publish(ctx);
    return Object.assign(ctx, { config: { ...ctx.config, root: aDataDir() } });
  }

  test('fails if the picture cannot be drawn, and tries again with the next publication', async () => {
    const ctx = aBoardThatCannotDraw();
    const failed = () => expect(socialPicture(ctx, () => svgOf(''))).rejects.toThrow(expected);
    const expected = refusal('service_unavailable');

    await Promise.all([failed(), failed()]);
    await failed();
    expect(ctx.errors.map(String)).toEqual([expect.stringContaining('raster.mjs')]);

    publish(ctx, 2);
    await failed();
    expect(ctx.errors).toHaveLength(2);
  });

  test('draws a publication once for any number of requests', async () => {
    const ctx = aBoardThatCannotDraw();
    let drawn = 0;
    const ask = () => socialPicture(ctx, () => svgOf(String((drawn += 1)))).catch(() => null);
    await Promise.all([ask(), ask(), ask()]);
    expect(drawn).toBe(1);
  });
});
