/** Composes the server of a board: starts listening, then builds the services. */
import { type DataLock, lockData } from '#db/engine/data-lock.ts';
import { prepareBackupFolder } from './backups/backup-folder.ts';
import { watchBackups } from './backups/backups.ts';
import { fenced, hideElsewhere, openUploader } from './board-copies.ts';
import { PublicationAge, healthOf } from './health.ts';
import { type Config, listenUrl } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { envFileOfNode } from './config/env-file.ts';
import { type AppContext, createContext } from './context.ts';
import { prepareResponse } from './http/response/prepared-response.ts';
import { resumeErasures } from './account/delete-account.ts';
import { starting } from './http/http-layer.ts';
import { prepareRelease } from './http/release-files.ts';
import { createHttpServer } from './http/server.ts';
import { createSetupLink } from './identity/sign-in/setup.ts';
import { watchSeries } from './challenge/repeat-challenges.ts';
import { watchAdmin } from './process/admin-actions.ts';
import { startMemberMail } from './member-mail/member-mail.ts';
import type { Lifecycle, Running } from './lifecycle.ts';
import type { Logger } from './process/logger.ts';
import type { ServerProcess } from './server-process.ts';
import { listen } from './listen.ts';
import { createLookup } from './publication/lookup.ts';
import { siteVersionOf } from './publication/site-version.ts';
import {
  type PublisherHooks,
  createBackups,
  createFront,
  createLogFile,
  createParquetUploads,
  createPublisher,
  createRenderer,
  createWitnessClient,
  prepareFiles,
  renderFrom,
  startMarkdown,
  startMetrics,
  warnOfIdle,
} from './wiring.ts';
import type { Uploader } from './object-store/uploader.ts';
import type { ParquetUploads } from './parquet/parquet-uploads.ts';
import type { Publication } from './publication/read/publication.ts';
import type { Publisher } from './publication/publisher.ts';
import type { LogFile } from './public-log/log-file.ts';
import { readBuiltProgram, releaseOf } from './cli-release/release.ts';
import { notedSettings } from './running-server.ts';
import { endServerNote, leaveServerNote } from './server-note.ts';
import { logFailure } from './process/storage-fault.ts';
import { announceAlone } from './webhooks/announce.ts';
import { watchWebhooks } from './webhooks/watch-webhooks.ts';

/** A command that looks for a running server holds the lock for a moment. */
const LOCK_PATIENCE_MS = 500;

/** Serves the board of a data folder, of which it is the only writer. */
export async function serveBoard(own: ServerProcess): Promise<void> {
  const { config, life, requests, events, logger } = own;
  warnOfIdle(config, logger);
  const { running } = life;
  running.lock = lockOf(config);
  running.watches.push(watchBackups(config.dataDir, logger));
  prepareBackups(config, logger);
  const age = new PublicationAge({
    refreshMs: config.refreshMs,
    nowMs: () => performance.now(),
    logger,
    onStale: (age_seconds) => announceStale(running, age_seconds, logger),
  });
  let service = starting(config.baseUrl ?? listenUrl(config, config.port));
  const condition = () => healthOf(life, age);
  const server = createHttpServer(() => service, { requests, condition });
  running.server = server;
  const port = await listen(server, config);
  const address = listenUrl(config, port);
  const baseUrl = config.baseUrl ?? address;
  noteServer(own, { port, baseUrl });
  const released = await releaseOf(readBuiltProgram(config.root), baseUrl);
  const { version } = released.release;
  const sources = { version, config, running, events, health: condition };
  const observed = await startMetrics(config.metrics, { sources, requests, logger });
  const ctx = createContext({ config: { ...config, baseUrl }, logger, release: released.release });
  running.store = ctx.store;
  // Creates the provider's keys on the first start, and reports configuration errors now.
  if (ctx.provider.answer) await ctx.provider.authority.server();
  const render = createRenderer();
  const renderPublished = renderFrom(ctx, render);
  const publisher = createPublisher(ctx, renderPublished, {
    ...publisherHooks(running, age),
    onPublic: (_publication, tookMs) => observed?.publication(tookMs),
  });
  running.publisher = publisher;
  const uploader = await openUploader(ctx, { life, publisher }, () => {
    service = fenced(baseUrl);
  });
  const publicLog = createLogFile(ctx, publisher);
  running.publicLog = publicLog;
  readFrom(ctx, publisher, { publicLog, uploader, parquet: parquetOf(ctx, running) });
  const assets = await prepareFiles(ctx, await prepareRelease(released));
  const finish = async (address: string, publication: Publication | null) => {
    return prepareResponse(await renderPublished(address, publication));
  };
  running.watches.push(watchAdmin(ctx), watchWebhooks(ctx), age);
  age.start();
  await publisher.start();
  publicLog.start();
  startWork(ctx, life);

  const toMarkdown = startMarkdown(ctx, running);
  const edition = () => publisher.edition;
  const site = { baseUrl, siteVersion: () => siteVersionOf(ctx) };
  const lookup = createLookup({ ...site, edition, assets, finish, toMarkdown });
  service = { listener: createFront(ctx, { render, lookup, toMarkdown }), baseUrl };
  running.isServing = true;
  logger.info('started', { version, port, log_index: ctx.store.log.head()?.index ?? 0 });
  startBackups(ctx, life);
  sayStarted(ctx, address);
}

function publisherHooks(running: Running, age: PublicationAge): PublisherHooks {
  return {
    onChecked: () => age.checked(),
    onDifference: () => age.differed(),
    onQueues: (queues) => {
      running.queues = queues;
      // The thread reports them after it stored a publication.
      running.objectStore?.wake();
    },
  };
}

/** Starts what the board does by itself while it serves. */
function startWork(ctx: AppContext, { running }: Lifecycle): void {
  running.checkpoints = ctx.checkpoints;
  running.objectStore?.start();
  const series = watchSeries(ctx);
  running.watches.push(series, startMemberMail(ctx));
  startWitnesses(ctx, running);
  running.parquet?.start();
  series.run();
  resumeErasures(ctx).catch((error: unknown) => ctx.logger.error('erasure_failed', error));
}

function sayStarted(ctx: AppContext, address: string): void {
  const { site, baseUrl } = ctx.config;
  process.stdout.write(`${site.name} is running at ${address}\n`);
  if (address !== baseUrl) process.stdout.write(`Public URL: ${baseUrl}\n`);
  process.stdout.write(firstSteps(ctx));
}

/**
 * What to do while the board has no admin; else empty. The link is a secret, so it is not in the log lines, which are
 * often collected elsewhere.
 */
function firstSteps(ctx: AppContext): string {
  if (ctx.store.operators.admins() > 0) return '';
  const link = createSetupLink(ctx);
  if (link !== null) return `Set up the board in a browser, within 24 hours: ${link}\n`;
  return 'No account can use the admin pages. Add an admin: opbench-board admin add NAME\n';
}

/** Returns false if the database cannot be written, which may be why the board is stale. */
function announceStale({ store }: Running, age_seconds: number, logger: Logger): boolean {
  try {
    if (!store) return false;
    announceAlone(store, { type: 'publication.stale', data: { age_seconds }, now: new Date() });
    return true;
  } catch (error) {
    logFailure(logger, 'webhooks_stopped', error);
    return false;
  }
}

function prepareBackups(config: Config, logger: Logger): void {
  const incomplete = prepareBackupFolder(config);
  if (incomplete.length > 0) logger.info('leftovers_deleted', { backups: incomplete.join(', ') });
}

function startBackups(ctx: AppContext, { running }: Lifecycle): void {
  const backups = createBackups(ctx);
  if (!backups) return;
  running.backups = backups;
  ctx.backups = backups;
  backups.start();
}

function startWitnesses(ctx: AppContext, running: Running): void {
  const witnesses = createWitnessClient(ctx);
  if (!witnesses) return;
  running.witnesses = witnesses;
  ctx.witnesses = witnesses;
  running.watches.push(witnesses);
  witnesses.start();
}

function lockOf({ dataDir }: Config): DataLock {
  const take = () => lockData(dataDir, LOCK_PATIENCE_MS);
  const lock = attempt(take, `Cannot write to the data folder ${dataDir}`);
  if (lock) return lock;
  throw new ConfigError(
    `Another server or restore is using the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
  );
}

function attempt<Result>(work: () => Result, failure: string): Result {
  try {
    return work();
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new ConfigError(
      `${failure} (${code}). Give this user write access, or set DATA_DIR to another folder.`,
    );
  }
}

/** Lets the admin CLI find the server and its settings. Without the note, the CLI uses its own settings. */
function noteServer(
  { config, life: { running }, logger }: ServerProcess,
  { port, baseUrl }: { port: number; baseUrl: string },
): void {
  const { dataDir, host, root } = config;
  try {
    // `opbench-board serve` sets the variable to the value of its own option.
    const env_file = process.env['OPBENCH_ENV_FILE'] ?? envFileOfNode(process.execArgv);
    const file = { env_file, cwd: process.cwd() };
    const address = { started_at: new Date().toISOString(), host, port, base_url: baseUrl };
    leaveServerNote(dataDir, { ...address, ...file, ...notedSettings(process.env, root) });
    running.note = { end: () => endServerNote(dataDir, file) };
  } catch (error) {
    logger.error('server_note_failed', error);
  }
}

function parquetOf(ctx: AppContext, running: Running): ParquetUploads | null {
  const parquet = createParquetUploads(ctx);
  if (parquet) running.parquet = parquet;
  return parquet;
}

/** Connects the context to the publisher and the public log, for reading and publishing. */
function readFrom(ctx: AppContext, publisher: Publisher, copies: Copies): void {
  const { publicLog, uploader, parquet } = copies;
  ctx.publicLog = publicLog;
  ctx.publications = {
    current: () => publisher.edition?.publication ?? null,
    byId: (id, as_of) => publisher.publication(id, as_of),
    publishNow: async (written) => {
      const publish = () => publisher.publishNow(written);
      const isShownStill = written.hides || publicLog.isOutdated;
      const withdrawn = isShownStill ? parquet?.withdraw() : undefined;
      const published = isShownStill ? publicLog.withdrawnDuring(publish) : publish();
      await (written.hides && uploader ? hideElsewhere(ctx, published, uploader) : published);
      await withdrawn;
    },
  };
}

interface Copies {
  publicLog: LogFile;
  uploader: Uploader | null;
  parquet: ParquetUploads | null;
}
