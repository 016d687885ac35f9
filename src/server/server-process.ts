import type { Config } from './config/config.ts';
import type { Requests } from './http/requests.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { EventCounts } from './process/event-counts.ts';
import type { Logger } from './process/logger.ts';

/** What a server has before its services. */
export interface ServerProcess {
  config: Config;
  life: Lifecycle;
  requests: Requests;
  events: EventCounts;
  logger: Logger;
}
