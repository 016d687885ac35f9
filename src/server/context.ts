import { join } from 'node:path';
import { openStore, type Store } from '#db/store.ts';
import { limitsOf } from '#core/contract/limits.ts';
import { RULESET, type Ruleset } from '#core/domain/ruleset.ts';
import type { Config } from './config.ts';
import { type BoardKey, enterRuleset, openBoardKey } from './identity/board-key.ts';
import { createSessions, type Sessions } from './identity/sessions.ts';
import type { Logger } from './logger.ts';
import { type Mailer, createMailer } from './mailer.ts';
import type { Publication } from './publication/publication.ts';
import { RateLimiter } from './rate-limit.ts';

/** What commands and queries work with. */
export interface AppContext {
  config: Config & { baseUrl: string };
  store: Store;
  sessions: Sessions;
  boardKey: BoardKey;
  ruleset: Ruleset;
  publications: Publications;
  limiter: RateLimiter;
  /** Null where the keeper set no mail up. */
  mailer: Mailer | null;
  logger: Logger;
  now(): Date;
}

/** The publications that can be read: the one of this request, and older ones that are kept. */
export interface Publications {
  /** Null before the first publication. */
  current(): Publication | null;
  byId(id: number): Publication | undefined;
  /**
   * Publishes what was just written and forgets all earlier publications; kept when readers see the new
   * one, so that who hides something is answered after it is gone.
   */
  publishNow(): Promise<void>;
}

export function databasePath(config: Config): string {
  return join(config.dataDir, 'opbench.sqlite');
}

export function migrationsPath(config: Config): string {
  return join(config.root, 'db', 'migrations');
}

/** Waiting stops all requests, so it is short; who is refused meanwhile is told to come back. */
const BUSY_TIMEOUT_MS = 500;

export interface ContextOptions {
  config: Config & { baseUrl: string };
  logger: Logger;
  now?: () => Date;
}

/** What is read before anything is published. */
const NOTHING_PUBLISHED: Publications = {
  current: () => null,
  byId: () => undefined,
  publishNow: async () => undefined,
};

/** Opens the store and all that stands on it. */
export function createContext({ config, logger, now }: ContextOptions): AppContext {
  const clock = now ?? (() => new Date());
  const path = databasePath(config);
  const store = openStore({
    path,
    migrations: migrationsPath(config),
    now: clock,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
  });
  const boardKey = openBoardKey(store, clock());
  enterRuleset(store, RULESET, clock());
  const secure = config.baseUrl.startsWith('https:');
  const sessions = createSessions(store, secure, clock);
  const { mail } = config.signIn;
  return {
    config,
    store,
    sessions,
    boardKey,
    ruleset: RULESET,
    publications: NOTHING_PUBLISHED,
    limiter: new RateLimiter(limitsOf(config.limits), () => clock().getTime()),
    mailer: mail && createMailer(mail),
    logger,
    now: clock,
  };
}
