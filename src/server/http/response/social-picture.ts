import type { APIContext, APIRoute } from 'astro';
import { join } from 'node:path';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { problemResponse } from '../endpoint.ts';
import { cacheControlAt } from './cache-control.ts';
import { weakTag } from './prepared-response.ts';
import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

/**
 * The picture of each publication, or the error that prevented it. An error is not retried before the next
 * publication.
 */
const drawn = new WeakMap<object, Promise<Buffer>>();

/**
 * Returns the picture of a publication. It is drawn once, even for concurrent requests.
 *
 * @throws {DomainError} `service_unavailable` if it cannot be drawn. The log has the reason.
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

/** Pictures of operators, challenges and the like, by what they show. */
const kept = new RecentMemo<object, Buffer>(200);
/** How many of them may wait. One is drawn at a time, because each takes a processor for a moment. */
const MOST_WAITING = 20;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns a picture, drawn once for as long as it shows the same.
 *
 * @throws {DomainError} `service_unavailable` if it cannot be drawn, or too many others wait.
 */
export async function keptPicture(
  ctx: Pick<AppContext, 'config' | 'logger' | 'store'>,
  svg: string,
): Promise<Buffer> {
  return kept.readLater(ctx.store, pictureTag(svg), async () => {
    if (waiting >= MOST_WAITING) {
      throw new DomainError('service_unavailable', 'Too many pictures are being drawn');
    }
    waiting += 1;
    const picture = last.then(() => draw(ctx, () => svg));
    last = picture.catch(() => undefined);
    return picture.finally(() => (waiting -= 1));
  });
}

/** Serves a picture, or a problem if it cannot be drawn. */
export function pictureEndpoint(
  drawn: (context: APIContext) => Promise<{ png: Buffer; tag: string }>,
): APIRoute {
  return async (context) => {
    try {
      const { png, tag } = await drawn(context);
      const headers = {
        ETag: tag,
        'Content-Type': 'image/png',
        'Cache-Control': cacheControlAt(context.url.pathname),
      };
      return new Response(new Uint8Array(png), { headers });
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}

/** The ETag of a picture: the same for every picture drawn from the same SVG. */
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
/** The most characters of the process's output that are logged. */
const MAX_SAID = 2_000;

/**
 * Draws an SVG as PNG, in a separate process without access to the board's secrets.
 *
 * @param script The built `raster.mjs`.
 * @throws {Error} if this machine cannot draw pictures, or drawing took too long.
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
  // A process that ends before it has read everything says why on its stderr.
  child.stdin.once('error', () => undefined);
  child.stdin.end(svg);
  const [png, said, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (end === 0 && png.length > 0) return png;
  throw new Error(`The drawing process ended with ${end}: ${said.slice(-MAX_SAID)}`);
}
