import { join } from 'node:path';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { weakTag } from './prepared-response.ts';
import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

/** What was drawn of each publication, or why nothing could be: it is not tried again before the next one. */
const drawn = new WeakMap<object, Promise<Buffer>>();

/**
 * The picture of a publication, drawn once however many ask.
 *
 * @throws {DomainError} `service_unavailable` where it cannot be drawn; the admin reads why in the log.
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

const TIMEOUT_MS = 15_000;
/** So much of what the process says stands in the log. */
const MAX_SAID = 2_000;

/**
 * The PNG of an SVG, drawn in a process of its own that knows nothing of the board's secrets.
 *
 * @param script The built `raster.mjs`.
 * @throws {Error} where pictures cannot be drawn on this machine, or took too long.
 */
export async function rasterise(script: string, svg: string, timeoutMs = TIMEOUT_MS) {
  const child = spawn(process.execPath, [script], {
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  // A process that ended before it read all says why on its stderr.
  child.stdin.once('error', () => undefined);
  child.stdin.end(svg);
  const [png, said, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (end === 0 && png.length > 0) return png;
  throw new Error(`The drawing process ended with ${end}: ${said.slice(-MAX_SAID)}`);
}
