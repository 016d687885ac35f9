import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pictureSize } from '#server/config/board-logo.ts';
import { pictureOf } from '#tests/support/pages/pictures.ts';

const svg = (text: string) => pictureSize(Buffer.from(text), '.svg');
const picture = {
  create: { width: 61, height: 17, channels: 4, background: '#12345680' },
} as const;

test.each([
  ['.png', async () => pictureOf('png'), [60, 40]],
  ['.webp', async () => sharp(picture).webp().toBuffer(), [61, 17]],
  ['.webp', async () => sharp(picture).removeAlpha().webp().toBuffer(), [61, 17]],
  ['.webp', async () => sharp(picture).webp({ lossless: true }).toBuffer(), [61, 17]],
])('pictureSize() reads a %s', async (extension, make, [width, height]) => {
  const bytes = await make();

  expect(pictureSize(bytes, extension)).toEqual({ width, height });
  for (let length = 0; length < 24; length += 1) {
    expect(pictureSize(bytes.subarray(0, length), extension)).toBeNull();
  }
});

test.each([
  ['<svg viewBox="0 0 20 10"/>', 20, 10],
  [
    '\uFEFF <?xml version="1.0"?>\n<!-- a > b --><svg width="1" viewBox = "-5,-5, 20.5 10">',
    20.5,
    10,
  ],
  [`<svg xmlns='x' width='30' height='15px'></svg>`, 30, 15],
])('pictureSize() reads %j', (text, width, height) => {
  expect(svg(text)).toEqual({ width, height });
});

test.each([
  '',
  'svg',
  'text <svg viewBox="0 0 1 1">',
  '<html></html>',
  '<svg>',
  '<svgx viewBox="0 0 1 1">',
  '<svg viewBox="0 0 0 1">',
  '<svg viewBox="0 0 -1 1">',
  '<svg viewBox="0 0 a b">',
  '<svg viewBox="0 0">',
  '<svg width="100%" height="3em">',
])('pictureSize() finds no size in %j', (text) => {
  expect(svg(text)).toBeNull();
});

test('pictureSize() depends on the extension', async () => {
  expect(pictureSize(await pictureOf('png'), '.webp')).toBeNull();
  expect(pictureSize(await pictureOf('webp'), '.png')).toBeNull();
  expect(pictureSize(await pictureOf('png'), '.gif')).toBeNull();
});
