import type { Marks } from '#db/engine/leftovers.ts';
import { openStore, type Store } from '#db/store.ts';
import { limitsOf } from '#core/contract/limits.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Release } from '#core/schema/release.ts';
import { backUpBeforeUpgrade } from './backups/backups.ts';
import { type Config, databasePath, migrationsPath } from './config/config.ts';
import { type DevMailbox, type Mailer, createDevMailbox, createMailer } from './mail/mailer.ts';
import { type BoardKey, enterRuleset, openBoardKey } from './identity/board-key.ts';
import type { Provider } from './identity/provider/provider.ts';
import { createSessions, type SessionStore } from './identity/sessions.ts';
import { isLoopbackBoard } from './process/loopback-request.ts';
import type { Logger } from './process/logger.ts';
import { createProvider } from './identity/provider/board-provider.ts';
import type { LogFile } from './public-log/log-file.ts';
import type { Publication } from './publication/read/publication.ts';
import { RateLimiter } from './process/rate-limit.ts';
import { storageFaultOf } from './process/storage-fault.ts';

export interface AppContext {
  config: Config & { baseUrl: string };
  store: Store;
  sessions: SessionStore;
  provider: Provider;
  boardKey: BoardKey;
  ruleset: Ruleset;
  release: Release;
  publications: Publications;
  publicLog: Pick<LogFile, 'open'>;
  limiter: RateLimiter;
  mailer: Mailer | null;
  /** Takes sign-in mails on the admin's own machine while no mail is set up; else null. */
  devMail: DevMailbox | null;
  logger: Logger;
  now(): Date;
}

/** What both a server and the admin's process have. */
export type Board = Pick<AppContext, 'now' | 'store'>;

/** The publications that can be read: the one of this request, and older ones that are kept. */
export interface Publications {
  current(): Publication | null;
  /** By its own number, or by that of a board's version, as cursors name it. */
  byId(id: number): Publication | undefined;
  /** Publishes what was just written; kept when readers see it, so that who hides something is answered after it is gone. */
  publishNow(written: Written): Promise<void>;
}

export interface Written {
  /** Whether something that was public is not any more: then all earlier publications are forgotten. */
  hides: boolean;
  /**
   * Of an account that was deleted: the database's files are searched for them, and overwritten. What
   * another process keeps from that is tried again with the next publication.
   */
  marks?: Marks;
}

/** Waiting stops all requests, so it is short; who is refused meanwhile is told to come back. */
const BUSY_TIMEOUT_MS = 500;

interface ContextOptions {
  config: Config & { baseUrl: string };
  logger: Logger;
  release: Release;
  now?: () => Date;
}

const writeToConsole = (line: string) => void process.stderr.write(line);

const NOTHING_PUBLISHED: Publications = {
  current: () => null,
  byId: () => undefined,
  publishNow: async () => undefined,
};

/** Opens the store and all that stands on it. A database of an earlier version is copied, then upgraded. */
export function createContext({ config, logger, release, now }: ContextOptions): AppContext {
  const clock = now ?? (() => new Date());
  const path = databasePath(config);
  const store = openStore({
    path,
    migrations: migrationsPath(config),
    now: clock,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    beforeUpgrade: (first) => {
      const { path, bytes } = backUpBeforeUpgrade(config, first, clock());
      logger.info('backed_up_before_upgrade', { path, bytes });
    },
  });
  const boardKey = openBoardKey(store, clock());
  enterRuleset(store, config.ruleset, clock());
  const secure = config.baseUrl.startsWith('https:');
  const sessions = createSessions(store, secure, clock, (error) => storageFaultOf(error) !== null);
  const limiter = new RateLimiter(limitsOf(config.limits), () => clock().getTime());
  const { authority, mail } = config.signIn;
  const takesMail = !authority && !mail && isLoopbackBoard(config);
  return {
    config,
    store,
    sessions,
    provider: createProvider({ config, store, sessions, limiter, logger, now: clock }),
    boardKey,
    ruleset: config.ruleset,
    release,
    publications: NOTHING_PUBLISHED,
    publicLog: { open: () => null },
    limiter,
    mailer: mail && createMailer(mail),
    devMail: takesMail ? createDevMailbox(writeToConsole, clock) : null,
    logger,
    now: clock,
  };
}
