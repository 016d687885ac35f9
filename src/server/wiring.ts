/** What stands behind the door, each made of the settings and what came before it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from 'astro/app/entrypoint';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { databasePath, migrationsPath } from './config/config.ts';
import type { AppContext } from './context.ts';
import type { Finished } from './http/response/prepared-response.ts';
import { finishVersioned, loadAssets } from './http/response/assets.ts';
import type { Visitor } from './http/http-layer.ts';
import { finishRelease } from './http/release-files.ts';
import { finishedAddresses } from './publication/addresses.ts';
import { MarkdownThread } from './markdown/markdown-thread.ts';
import type { Publication } from './publication/read/publication.ts';
import { Publisher } from './publication/publisher.ts';
import { LogFile } from './public-log/log-file.ts';
import type { Released } from './cli-release/release.ts';
import { finishIcons } from './http/response/site-icons.ts';
import { finishSatellite, readSatelliteFiles } from './satellite/files.ts';
import { holdTeller } from './submission/moderation-alerts.ts';

/** All that is there under an address of its own before anything is published. */
export async function finishFiles(
  config: AppContext['config'],
  released: Released,
): Promise<Map<string, Finished>> {
  const files = await loadAssets(join(config.root, 'dist', 'client'));
  for (const [address, file] of await finishRelease(released)) files.set(address, file);
  const satellite = readSatelliteFiles(config.root);
  files.set(SATELLITE_PATH, await finishSatellite(satellite, config.site, config.baseUrl));
  await finishIcons(files, config);
  for (const { address, mediaType, bytes } of config.siteFiles) {
    files.set(address, await finishVersioned(bytes, mediaType));
  }
  return files;
}

export type Render = (ctx: AppContext, request: Request, visitor?: Visitor) => Promise<Response>;

/** For whom pages are rendered in advance. */
const NOBODY: Visitor = {
  requestId: '',
  client: '',
  peer: '',
  apiKey: null,
  upload: { enter: () => Promise.resolve(), leave: () => undefined },
  refusedBody: null,
};

export function createRenderer(): Render {
  const app = createApp();
  return async (ctx, request, visitor = NOBODY) =>
    asAnswered(await app.render(request, { locals: { ctx, ...visitor } }));
}

/**
 * An answer as it leaves. The framework sends its page for what failed with 500, also where that page says when to
 * come back, since the storage failed.
 */
function asAnswered(response: Response): Response {
  if (response.status !== 500 || !response.headers.has('Retry-After')) return response;
  return new Response(response.body, { status: 503, headers: response.headers });
}

/** Renders an edition's pages from its own publication, before anybody else sees it. */
export function createPublisher(ctx: AppContext, render: Render, onPublic: () => void): Publisher {
  const { config } = ctx;
  const tellHolds = holdTeller(ctx);
  return new Publisher({
    workerUrl: pathToFileURL(join(config.root, 'dist', 'publication-worker.mjs')),
    worker: {
      databasePath: databasePath(config),
      migrations: migrationsPath(config),
      ruleset: ctx.ruleset,
    },
    refreshMs: config.refreshMs,
    addresses: finishedAddresses,
    now: ctx.now,
    logger: ctx.logger,
    onPublic: ({ id }) => {
      onPublic();
      ctx.store.publications.markPublic(id, ctx.now().toISOString());
      tellHolds();
    },
    render: (address: string, publication: Publication) => {
      const publications = { ...ctx.publications, current: () => publication };
      return render({ ...ctx, publications }, new Request(config.baseUrl + address));
    },
  });
}

export function createMarkdownThread({ config, logger }: AppContext): MarkdownThread {
  const workerUrl = pathToFileURL(join(config.root, 'dist', 'markdown-worker.mjs'));
  return new MarkdownThread({ workerUrl, logger });
}

export function createLogFile(ctx: AppContext, publisher: Publisher): LogFile {
  const { config, store, logger } = ctx;
  const { baseUrl, dataDir, root } = config;
  return new LogFile({
    store,
    folder: dataDir,
    workerUrl: pathToFileURL(join(root, 'dist', 'public-log-worker.mjs')),
    worker: { databasePath: databasePath(config), migrations: migrationsPath(config), baseUrl },
    asOf: () => publisher.edition?.publication.as_of ?? null,
    logger,
  });
}
