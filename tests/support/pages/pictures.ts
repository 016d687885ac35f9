/** Pictures, valid and invalid. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Format = 'avif' | 'gif' | 'jpeg' | 'png' | 'tiff' | 'webp';

/** A picture of 60 by 40 pixels, red on the left and blue on the right. */
export async function pictureOf(
  format: Format,
  { orientation = 1, secret = 'nothing' }: { orientation?: number; secret?: string } = {},
): Promise<Buffer<ArrayBuffer>> {
  const pixels = Buffer.alloc(60 * 40 * 3);
  for (let at = 0; at < 60 * 40; at += 1) pixels[at * 3 + (at % 60 < 30 ? 0 : 2)] = 255;
  const picture = await sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
    .withExif({ IFD0: { ImageDescription: secret } })
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();
  return Buffer.from(picture);
}

export function deflatedZeros(length: number): Buffer {
  return deflateSync(Buffer.alloc(length), { level: 9 });
}

/** A gray PNG of this size, with these image data. */
export function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const edges = Buffer.alloc(8);
  edges.writeUInt32BE(data.length, 0);
  edges.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([edges.subarray(0, 4), body, edges.subarray(4)]);
}
