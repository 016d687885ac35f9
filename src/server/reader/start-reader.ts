/** Composes a reader: a server without a database, which shows what the writer published in the object store. */
import { FactsError } from '../facts/facts-error.ts';
import { listenUrl } from '../config/config.ts';
import type { ReaderConfig } from '../config/reader-config.ts';
import { readBuiltProgram, versionOf } from '../cli-release/release.ts';
import { starting } from '../http/http-layer.ts';
import { createHttpServer } from '../http/server.ts';
import { listen } from '../listen.ts';
import { S3Store } from '../object-store/s3-store.ts';
import type { ServerProcess } from '../server-process.ts';
import { createRenderer, startMarkdown, startMetrics, warnOfIdle } from '../wiring.ts';
import { CurrentWatch } from './current-watch.ts';
import { createReaderListener, writerListener } from './reader-listener.ts';
import { readerHealthOf } from './reader-health.ts';
import { ShownBoard } from './shown-board.ts';
import { WriterProxy } from './writer-proxy.ts';

/**
 * Serves until the process ends. Rejects if it cannot start.
 *
 * @throws {ReaderError} if the object store denies access, or has what this program cannot read.
 */
export async function startReader(
  { life, requests, events, logger }: ServerProcess,
  config: ReaderConfig,
): Promise<void> {
  const { running } = life;
  warnOfIdle(config, logger);
  let service = starting(listenUrl(config, config.port));
  const condition = () => readerHealthOf(life);
  const server = createHttpServer(() => service, { requests, condition });
  running.server = server;
  const address = listenUrl(config, await listen(server, config));
  const program = readBuiltProgram(config.root);
  const version = versionOf(program);
  const sources = { version, config: null, running, events, health: condition };
  const observed = await startMetrics(config.metrics, { sources, requests, logger });
  const store = new S3Store(config.objectStore);
  const writer =
    config.writerUrl === null ? null : new WriterProxy({ url: config.writerUrl, logger });
  const parts = {
    current: () => watch.current,
    isConfirmed: () => watch.isConfirmed,
    shown: () => board.listener,
    writer,
    ownUrl: address,
  };
  const toWriter = writerListener(parts);
  const watch = new CurrentWatch({
    ...{ store, logger },
    nowMs: () => performance.now(),
    onCurrent: (current) => board.show(current),
    onLook: () => board.retry(),
    onUnreadable: (error) => {
      logger.error('reader_outdated', error);
      process.exit(1);
    },
  });
  // Until the store answers, an empty database is made.
  const isAsked = watch.start();
  const board = new ShownBoard({
    ...{ store, config, program, version, logger },
    render: createRenderer(),
    toMarkdown: startMarkdown({ config, logger }, running),
    passOn: ({ request, response, requestId }, error) => {
      const isLive = error instanceof FactsError && error.fault === 'live';
      if (isLive) toWriter(request, response, requestId);
      return isLive;
    },
    onPublic: (tookMs) => observed?.publication(tookMs),
    now: () => new Date(),
  });
  running.publisher = board;
  running.reader = { watch, writer };
  running.watches.push(watch, ...(writer ? [writer] : []));
  await isAsked;
  service = { listener: createReaderListener(parts), baseUrl: watch.current?.base_url ?? address };
  running.isServing = true;
  logger.info('started', { version, role: 'reader' });
  process.stdout.write(`A reader is running at ${address}\n`);
}
