/** Pictures after drawing, which requires well-formed XML. */
import { join } from 'node:path';
import sharp from 'sharp';
import { rasterise } from '#server/http/response/social-picture.ts';
import { ROOT } from '../board/context.ts';

/** The process that draws, from its source. */
export const RASTER = join(ROOT, 'src', 'server', 'raster', 'main.ts');

export interface Drawn {
  width: number;
  height: number;
  /** The number of colors within these edges. */
  colours(box: Partial<Box>): number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export async function drawn(svg: string): Promise<Drawn> {
  return lookAt(await rasterise(RASTER, svg));
}

export async function lookAt(png: Uint8Array): Promise<Drawn> {
  const picture = sharp(png).removeAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const colours = ({ left = 0, top = 0, right = width, bottom = height }: Partial<Box>) => {
    const seen = new Set<string>();
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const from = (y * width + x) * channels;
        seen.add(data.subarray(from, from + channels).toString('hex'));
      }
    }
    return seen.size;
  };
  return { width, height, colours };
}
