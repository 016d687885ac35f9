import { join } from 'node:path';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { weakTag } from '../entity-tag.ts';
import { rasterise } from './rasterise.ts';

/** What was drawn of each publication, or why nothing could be: it is not tried again before the next one. */
const drawn = new WeakMap<object, Promise<Buffer>>();

/**
 * The picture of a publication, drawn once however many ask.
 *
 * @throws {DomainError} `service_unavailable` where it cannot be drawn; the keeper reads why in the log.
 */
export function socialPicture(
  ctx: Pick<AppContext, 'config' | 'logger' | 'publications'>,
  svgOf: () => string,
): Promise<Buffer> {
  const publication = ctx.publications.current() ?? ctx;
  const known = drawn.get(publication);
  if (known) return known;
  const picture = draw(ctx, svgOf);
  drawn.set(publication, picture);
  return picture;
}

/** The tag of a picture: one for all that are drawn of this. */
export function pictureTag(svg: string): string {
  return weakTag(svg);
}

async function draw(
  { config, logger }: Pick<AppContext, 'config' | 'logger'>,
  svgOf: () => string,
): Promise<Buffer> {
  try {
    return await rasterise(join(config.root, 'dist', 'raster.mjs'), svgOf());
  } catch (error) {
    logger.error('picture_failed', error);
    throw new DomainError('service_unavailable', 'The picture cannot be drawn on this machine');
  }
}
