/** The process: opens the door, builds everything behind it, and closes it again. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from 'astro/app/entrypoint';
import { ROBOTS_PATH } from '#core/contract/crawlers.ts';
import { getOpenApi } from '#core/contract/interface.ts';
import { MANIFESTS } from '#core/contract/manifests.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { SATELLITE_PATH } from '#core/domain/file-paths.ts';
import { trustedOrigins } from './agent-config.ts';
import {
  type Config,
  ConfigError,
  databasePath,
  listenUrl,
  migrationsPath,
  readConfig,
} from './config.ts';
import { type AppContext, createContext } from './context.ts';
import { type Finished, finishResponse } from './finished.ts';
import { finishVersioned, loadAssets } from './http/assets.ts';
import { type Visitor, createFront } from './http/front.ts';
import { finishRelease } from './http/release-files.ts';
import { createHttpServer } from './http/server.ts';
import { starting } from './http/starting.ts';
import { readApiKey } from './identity/api-keys.ts';
import { type Watch, watchKeeper } from './keeper-watch.ts';
import { createLogger } from './logger.ts';
import { createLookup } from './lookup.ts';
import { finishedAddresses } from './publication/addresses.ts';
import type { Publication } from './publication/publication.ts';
import { Publisher } from './publication/publisher.ts';
import { LogFile } from './public-log/log-file.ts';
import { type Released, readBuiltProgram, releaseOf } from './release.ts';
import { finishSatellite, readSatelliteFiles } from './satellite/files.ts';
import { holdTeller } from './told-holds.ts';
import { renderAsked } from './twins.ts';

/** How long requests in flight may take to finish when the process is asked to stop. */
const GRACE_MS = 5_000;

/** What only the program and its settings make, finished when it starts. */
const START_ADDRESSES = [ROBOTS_PATH, ...[getOpenApi, ...MANIFESTS].map(({ path }) => path)];

const logger = createLogger((line) => process.stderr.write(line));

try {
  await main(readConfig(process.env));
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.error('start_failed', error);
  process.exit(1);
}

async function main(config: Config): Promise<void> {
  if (config.idleSettings.length > 0) {
    logger.warn('settings_without_effect', { settings: config.idleSettings.join(', ') });
  }
  let service = starting(config.baseUrl ?? listenUrl(config, config.port));
  const server = createHttpServer(() => service);
  const port = await listen(server, config);
  const address = listenUrl(config, port);
  const baseUrl = config.baseUrl ?? address;
  const released = await releaseOf(readBuiltProgram(config.root), baseUrl);
  const ctx = createContext({ config: { ...config, baseUrl }, logger, release: released.release });
  // Its keys are made at the first start, and what is wrong with it shows now.
  if (ctx.provider.answer) await ctx.provider.authority.server();
  const render = createRenderer();
  const publisher = createPublisher(ctx, render);
  const publicLog = createLogFile(ctx, publisher);
  ctx.publicLog = publicLog;
  ctx.publications = {
    current: () => publisher.edition?.publication ?? null,
    byId: (id) => publisher.publication(id),
    publishNow: (written) => {
      const publish = () => publisher.publishNow(written);
      const isShownStill = written.hides || publicLog.isOutdated;
      return isShownStill ? publicLog.withdrawnDuring(publish) : publish();
    },
  };
  const assets = await finishFiles(ctx.config, released);
  const finish = async (address: string) => {
    return finishResponse(await render(ctx, new Request(baseUrl + address)));
  };
  for (const address of START_ADDRESSES) assets.set(address, await finish(address));
  const keeper = watchKeeper(ctx);
  await publisher.start();
  publicLog.start();

  const lookup = createLookup({ baseUrl, edition: () => publisher.edition, assets, finish });
  const listener = createFront({
    baseUrl,
    routes: ROUTES,
    origins: trustedOrigins(config.agents),
    limiter: ctx.limiter,
    proxies: config.trustedProxies,
    readKey: (text) => readApiKey(ctx.store, text),
    now: ctx.now,
    logger,
    lookup,
    render: (request, visitor) => {
      return renderAsked(request, {
        baseUrl,
        render: (asked) => render(ctx, asked, visitor),
        day: () => ctx.publications.current()?.as_of ?? null,
      });
    },
  });
  service = { listener, baseUrl };
  stopOnSignal(server, { publisher, publicLog, keeper, ctx });
  process.stdout.write(`${config.site.name} is served on ${address}\n`);
  if (address !== baseUrl) process.stdout.write(`Its address for everybody is ${baseUrl}\n`);
}

/** All that is there under an address of its own before anything is published. */
async function finishFiles(
  config: AppContext['config'],
  released: Released,
): Promise<Map<string, Finished>> {
  const files = await loadAssets(join(config.root, 'dist', 'client'));
  for (const [address, file] of await finishRelease(released)) files.set(address, file);
  const satellite = readSatelliteFiles(config.root);
  files.set(SATELLITE_PATH, await finishSatellite(satellite, config.site, config.baseUrl));
  for (const { address, mediaType, bytes } of config.siteFiles) {
    files.set(address, await finishVersioned(bytes, mediaType));
  }
  return files;
}

type Render = (ctx: AppContext, request: Request, visitor?: Visitor) => Promise<Response>;

/** For whom pages are rendered in advance. */
const NOBODY: Visitor = {
  requestId: '',
  client: '',
  peer: '',
  apiKey: null,
  refusedBody: null,
};

function createRenderer(): Render {
  const app = createApp();
  return (ctx, request, visitor = NOBODY) => app.render(request, { locals: { ctx, ...visitor } });
}

/** Renders an edition's pages from its own publication, before anybody else sees it. */
function createPublisher(ctx: AppContext, render: Render): Publisher {
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
    logger,
    onPublic: ({ id }) => {
      ctx.store.publications.markPublic(id, ctx.now().toISOString());
      tellHolds();
    },
    render: (address: string, publication: Publication) => {
      const publications = { ...ctx.publications, current: () => publication };
      return render({ ...ctx, publications }, new Request(config.baseUrl + address));
    },
  });
}

function createLogFile(ctx: AppContext, publisher: Publisher): LogFile {
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

async function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = `Port ${port} on ${host} is in use. Stop what uses it, or set PORT.`;
      reject(taken ? new ConfigError(message) : error);
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** What is ended with the process. */
interface Running {
  publisher: Publisher;
  publicLog: LogFile;
  keeper: Watch;
  ctx: AppContext;
}

function stopOnSignal(server: Server, { publisher, publicLog, keeper, ctx }: Running): void {
  const stop = () => {
    keeper.stop();
    server.close(() => {
      void Promise.all([publisher.close(), publicLog.close()]).then(() => {
        ctx.store.close();
        process.exit(0);
      });
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
