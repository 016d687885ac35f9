/** Composes the server's services from the configuration. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from 'astro/app/entrypoint';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { backupThread } from './backups/backup-thread.ts';
import { ScheduledBackups } from './backups/scheduled-backups.ts';
import { trustedOrigins } from './config/allowed-origins.ts';
import { type Config, databasePath, migrationsPath, parquetPath } from './config/config.ts';
import type { ListenAddress } from './config/operation-config.ts';
import type { AppContext } from './context.ts';
import { readApiKey } from './identity/api-keys.ts';
import { openLogKey } from './identity/log-key.ts';
import { prepareVersioned, loadAssets } from './http/response/assets.ts';
import { type HttpLayerOptions, type Visitor, createHttpLayer } from './http/http-layer.ts';
import { readersOf } from './http/request/reader.ts';
import type { Requests } from './http/requests.ts';
import type { PreparedResponse } from './http/response/prepared-response.ts';
import type { Listener } from './http/server.ts';
import { S3Store } from './object-store/s3-store.ts';
import { Uploader, type UploaderOptions } from './object-store/uploader.ts';
import { preparedAddresses } from './publication/addresses.ts';
import { finishPageHeaders } from './http/response/cache-control.ts';
import type { Running } from './lifecycle.ts';
import { MarkdownThread, type ToMarkdown } from './markdown/markdown-thread.ts';
import { renderPageOrMarkdown } from './markdown/markdown-versions.ts';
import type { MetricSources } from './metrics/metrics.ts';
import { serveMetrics } from './metrics/metrics-server.ts';
import { createMetrics } from './metrics/registry.ts';
import { hasClaim } from './object-store/writer-claim.ts';
import { parquetThread } from './parquet/parquet-thread.ts';
import { ParquetUploads } from './parquet/parquet-uploads.ts';
import { siteVersionOf } from './publication/site-version.ts';
import { earlierRanksIn } from './publication/read/earlier-ranks.ts';
import { Publisher, type PublisherOptions, type Render } from './publication/publisher.ts';
import { Checkpoints } from './public-log/checkpoints.ts';
import { LogFile } from './public-log/log-file.ts';
import { prepareIcons } from './http/response/site-icons.ts';
import { prepareSatellite, readSatelliteFiles } from './satellite/files.ts';
import { audit } from './process/admin-actions.ts';
import type { Logger } from './process/logger.ts';
import { WitnessClient } from './witness/witness-client.ts';
import type { WitnessAlarm } from './witness/witness-state.ts';
import { announceAlone, announceFailedBackup } from './webhooks/announce.ts';
import { createHoldAlerts } from './submission/moderation-alerts.ts';

/** @param release The files of the program, which are named after its version. */
export async function prepareFiles(
  { config, boardSettings, logger }: AppContext,
  release: ReadonlyMap<string, PreparedResponse>,
) {
  const files = await loadAssets(join(config.root, 'dist', 'client'));
  for (const [address, file] of release) files.set(address, file);
  await prepareNamedFiles(files, config);
  for (const { address, mediaType, bytes } of config.siteFiles) {
    files.set(address, await prepareVersioned(bytes, mediaType));
  }
  boardSettings.onChange(() => {
    prepareNamedFiles(files, config).catch((error: unknown) => {
      logger.error('files_not_prepared', error);
    });
  });
  return files;
}

/** Adds the files that contain the board's name, which an admin can change while the board runs. */
async function prepareNamedFiles(
  files: Map<string, PreparedResponse>,
  config: AppContext['config'],
): Promise<void> {
  const satellite = readSatelliteFiles(config.root);
  files.set(SATELLITE_PATH, await prepareSatellite(satellite, config.site, config.baseUrl));
  await prepareIcons(files, config);
}

export type RenderPage = (
  ctx: AppContext,
  request: Request,
  visitor?: Visitor,
) => Promise<Response>;

const NOBODY: Visitor = {
  requestId: '',
  client: '',
  peer: '',
  apiKey: null,
  upload: { enter: () => Promise.resolve(), leave: () => undefined },
  refusedBody: null,
};

export function createRenderer(): RenderPage {
  const app = createApp();
  return async (ctx, request, visitor = NOBODY) => {
    const answer = await app.render(request, { locals: { ctx, ...visitor } });
    finishPageHeaders(answer, new URL(request.url).pathname);
    return asAnswered(answer);
  };
}

/**
 * Changes status 500 to 503 if the error page has Retry-After. The framework sends every error page with 500, also
 * after a storage error.
 */
function asAnswered(response: Response): Response {
  if (response.status !== 500 || !response.headers.has('Retry-After')) return response;
  return new Response(response.body, { status: 503, headers: response.headers });
}

/** Renders pages from a publication that need not be the current one. */
export function renderFrom(ctx: AppContext, render: RenderPage): Render {
  return (address, publication) => {
    const publications = { ...ctx.publications, current: () => publication };
    return render({ ...ctx, publications }, new Request(ctx.config.baseUrl + address));
  };
}

export type PublisherHooks = Pick<
  PublisherOptions,
  'onChecked' | 'onDifference' | 'onPublic' | 'onQueues'
>;

/**
 * Creates the publisher, which renders each edition's pages from its own publication before readers see it. After each
 * one, the log gets a checkpoint.
 */
export function createPublisher(ctx: AppContext, render: Render, hooks: PublisherHooks) {
  const { config } = ctx;
  const tellHolds = createHoldAlerts(ctx);
  const checkpoints = createCheckpoints(ctx);
  ctx.checkpoints = checkpoints;
  return new Publisher({
    workerUrl: pathToFileURL(join(config.root, 'dist', 'publication-worker.mjs')),
    worker: {
      databasePath: databasePath(config),
      migrations: migrationsPath(config),
      ruleset: ctx.ruleset,
      writeLock: ctx.store.writeLock,
      valuesDays: config.valuesDays,
    },
    refreshMs: config.refreshMs,
    earlier: (as_of) => earlierRanksIn(ctx.store, as_of),
    addresses: preparedAddresses,
    now: ctx.now,
    logger: ctx.logger,
    ...hooks,
    onPublic: (publication, tookMs) => {
      ctx.store.publications.markPublic(publication.id, ctx.now().toISOString());
      hooks.onPublic?.(publication, tookMs);
      tellHolds();
    },
    // Also if nothing changed: after an upgrade, the tree grows until it has all entries.
    onChecked: () => {
      checkpoints.advance();
      hooks.onChecked?.();
    },
    render,
    siteVersion: () => siteVersionOf(ctx),
  });
}

/** Null if no backups are scheduled. */
export function createBackups({ config, store, now, logger }: AppContext): ScheduledBackups | null {
  if (!config.backup) return null;
  return new ScheduledBackups({
    ...config.backup,
    database: databasePath(config),
    make: backupThread(pathToFileURL(join(config.root, 'dist', 'backup-worker.mjs'))),
    record: (subject, madeAt, by) => {
      audit(store, { action: 'backup', subject, operator_id: null, reason: null, now: madeAt, by });
    },
    onFailure: (error) => announceFailedBackup(store, error, now()),
    now,
    steadyMs: () => performance.now(),
    logger,
  });
}

/** Starts the thread that converts pages to Markdown. */
export function startMarkdown(
  { config, logger }: { config: Pick<Config, 'root'>; logger: Logger },
  running: Running,
): ToMarkdown {
  const workerUrl = pathToFileURL(join(config.root, 'dist', 'markdown-worker.mjs'));
  const markdown = new MarkdownThread({ workerUrl, logger });
  running.watches.push(markdown);
  return (page) => markdown.convert(page);
}

function createCheckpoints(ctx: AppContext): Checkpoints {
  const { config, store, boardKey, logger } = ctx;
  const key = openLogKey(store, { baseUrl: config.baseUrl, boardKey, now: ctx.now() });
  // On a board for members, nobody reads the log from the store.
  const isHeld = () => config.objectStore !== null && config.access.read !== 'members';
  return new Checkpoints({ store, key, config, logger, isHeld });
}

/** Null if the board has no witnesses. Call it after the publisher was created, which creates the checkpoints. */
export function createWitnessClient(ctx: AppContext): WitnessClient | null {
  const { config, store, now, logger, checkpoints } = ctx;
  const { witnessPolicy: policy } = config;
  if (!policy || !(checkpoints instanceof Checkpoints)) return null;
  const steadyMs = () => performance.now();
  const onAlarm = (witness: string, state: WitnessAlarm) => {
    announceAlone(store, { type: 'witness.alarm', data: { witness, state }, now: now() });
  };
  return new WitnessClient({ policy, checkpoints, store, config, now, steadyMs, logger, onAlarm });
}

/** Null if no object store is set. Call it after the publisher was created, which creates the checkpoints. */
export function createUploader(
  ctx: AppContext,
  publisher: Publisher,
  onFenced: UploaderOptions['onFenced'],
): Uploader | null {
  const { objectStore } = ctx.config;
  if (!objectStore) return null;
  return new Uploader({
    ctx,
    store: new S3Store(objectStore),
    assets: join(ctx.config.root, 'dist', 'client', '_astro'),
    siteVersion: () => siteVersionOf(ctx),
    publishAbove: (id) => {
      ctx.store.publications.skipTo(id);
      return publisher.publishNow({ hides: true });
    },
    onFenced,
  });
}

export function createLogFile(ctx: AppContext, publisher: Publisher): LogFile {
  const { config, store, logger } = ctx;
  const { baseUrl, dataDir, root } = config;
  return new LogFile({
    store,
    folder: dataDir,
    workerUrl: pathToFileURL(join(root, 'dist', 'public-log-worker.mjs')),
    worker: {
      databasePath: databasePath(config),
      migrations: migrationsPath(config),
      baseUrl,
      ruleset: ctx.ruleset,
      writeLock: store.writeLock,
    },
    calibration: ctx.calibration,
    asOf: () => publisher.edition?.publication.as_of ?? null,
    logger,
  });
}

interface FrontOptions extends Pick<HttpLayerOptions, 'lookup' | 'passOn'> {
  render: RenderPage;
  toMarkdown: ToMarkdown;
}

/** Creates the HTTP layer of a board. */
export function createFront(
  ctx: AppContext,
  { render, toMarkdown, ...own }: FrontOptions,
): Listener {
  const { baseUrl, agents, site, trustedProxies } = ctx.config;
  return createHttpLayer({
    baseUrl,
    routes: ROUTE_TABLE,
    origins: trustedOrigins(agents),
    frameAncestors: site.embed,
    limiter: ctx.limiter,
    proxies: trustedProxies,
    readKey: (text) => readApiKey(ctx.store, text),
    now: ctx.now,
    logger: ctx.logger,
    ...own,
    readers: readersOf(ctx),
    render: (request, visitor) => {
      return renderPageOrMarkdown(request, {
        baseUrl,
        render: (asked) => render(ctx, asked, visitor),
        day: () => ctx.publications.current()?.as_of ?? null,
        toMarkdown,
      });
    },
  });
}

export function warnOfIdle({ idleSettings }: Pick<Config, 'idleSettings'>, logger: Logger): void {
  if (idleSettings.length === 0) return;
  logger.warn('settings_without_effect', { settings: idleSettings.join(', ') });
}

interface MetricsOptions {
  sources: MetricSources & { running: Running };
  requests: Requests;
  logger: Logger;
}

/** Serves metrics, and returns what records updates; null if no metrics are served. */
export async function startMetrics(
  address: ListenAddress | null,
  { sources, requests, logger }: MetricsOptions,
) {
  if (!address) return null;
  const { registry, observed } = await createMetrics(sources);
  requests.watch(observed.request);
  sources.running.watches.push(await serveMetrics(address, { registry, logger }));
  return observed;
}

/** Null if the board has no object store. */
export function createParquetUploads(ctx: AppContext): ParquetUploads | null {
  const { config, store, ruleset, now, logger } = ctx;
  const { objectStore, baseUrl, dataDir, root } = config;
  if (!objectStore) return null;
  const objects = new S3Store(objectStore);
  const worker = {
    ...{ databasePath: databasePath(config), migrations: migrationsPath(config), baseUrl },
    ...{ ruleset: ruleset.id, writeLock: store.writeLock },
  };
  return new ParquetUploads({
    objects,
    store,
    path: parquetPath(config),
    write: parquetThread(pathToFileURL(join(root, 'dist', 'parquet-worker.mjs')), worker),
    isPublic: () => config.access.read === 'public',
    isWriter: () => hasClaim(objects, dataDir),
    now,
    logger,
  });
}
