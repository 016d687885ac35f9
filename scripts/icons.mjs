/**
 * Draws `public/favicon.ico` and `public/apple-touch-icon.png` from `public/icon.svg`. Run it after the icon changes:
 * `node scripts/icons.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const PUBLIC = new URL('../public/', import.meta.url);
const ICO_SIZE = 32;
const TOUCH_SIZE = 180;
/** The background of the icon, because phones round the corners themselves and show transparent ones in black. */
const BACKGROUND = '#1d2129';
/** The sizes of the header of an icon file and of its entry, in bytes. */
const ICO_HEAD = 22;

const svg = readFileSync(new URL('icon.svg', PUBLIC));

function draw(size) {
  return sharp(svg, { density: 72 * (size / ICO_SIZE) }).resize(size, size);
}

/** An icon file that contains one PNG. */
function icoOf(png) {
  const head = Buffer.alloc(ICO_HEAD);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICO_SIZE, 6);
  head.writeUInt8(ICO_SIZE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(ICO_HEAD, 18);
  return Buffer.concat([head, png]);
}

const small = await draw(ICO_SIZE).png({ compressionLevel: 9 }).toBuffer();
writeFileSync(new URL('favicon.ico', PUBLIC), icoOf(small));
const large = draw(TOUCH_SIZE).flatten({ background: BACKGROUND });
writeFileSync(
  new URL('apple-touch-icon.png', PUBLIC),
  await large.png({ compressionLevel: 9, palette: true }).toBuffer(),
);
