/** The server process: the board itself, or a reader of its object store. */
import { StoreError } from '#db/engine/store-error.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { readConfig } from './config/config.ts';
import { readReaderConfig } from './config/reader-config.ts';
import { ConfigError } from './config/config-error.ts';
import { Requests } from './http/requests.ts';
import { Lifecycle } from './lifecycle.ts';
import { EventCounts } from './process/event-counts.ts';
import { createLines, createLogger, flushAtExit, writeTo } from './process/logger.ts';
import { keepThreadsSmall } from './process/memory-settings.ts';
import { ReaderError } from './reader/current-watch.ts';
import { startReader } from './reader/start-reader.ts';
import { serveBoard } from './serve-board.ts';

keepThreadsSmall();

const STDERR = 2;

const lines = createLines(writeTo(STDERR));
flushAtExit(lines);
const events = new EventCounts();
const logger = createLogger((line) => lines.say(line), events.add);

try {
  // `opbench-board read` sets the variable.
  const isReader = process.env['OPBENCH_ROLE'] === 'reader';
  const reader = isReader ? readReaderConfig(process.env) : null;
  const config = reader ?? readConfig(process.env);
  const routeOf = (target: string) => ROUTE_TABLE.logName(target);
  const requests = new Requests({ logging: config.requestLogging, add: lines.add, routeOf });
  const life = new Lifecycle({ requests, logger });
  life.listen();
  const own = { config, life, requests, events, logger };
  const started = reader ? startReader(own, reader) : serveBoard(own);
  await started.catch((error: unknown) => {
    // A shutdown during startup closes resources that are in use.
    if (life.isEnding) return;
    life.running.note?.end();
    throw error;
  });
} catch (error) {
  const isTold = [ConfigError, StoreError, ReaderError].some((kind) => error instanceof kind);
  if (isTold) lines.say(`${(error as Error).message}\n`);
  else logger.error('start_failed', error);
  process.exit(1);
}
