import type { Marks } from '#db/engine/leftovers.ts';
import { openStore, type Store } from '#db/store.ts';
import { limitsOf } from '#core/contract/limits.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Release } from '#core/schema/release.ts';
import { Announcements } from './announcement/announcements.ts';
import { openRuleset } from './process/rulesets.ts';
import { backUpBeforeUpgrade } from './backups/backups.ts';
import type { ScheduledBackups } from './backups/scheduled-backups.ts';
import { type Config, databasePath, migrationsPath } from './config/config.ts';
import { type DevMailbox, type Mailer, createDevMailbox, createMailer } from './mail/mailer.ts';
import { type BoardKey, openBoardKey } from './identity/board-key.ts';
import type { Provider } from './identity/provider/provider.ts';
import { createSessions, type SessionStore } from './identity/sessions.ts';
import { isLoopbackBoard } from './process/loopback-request.ts';
import { BoardSettings, accessWith, siteWith } from './process/board-settings.ts';
import type { Logger } from './process/logger.ts';
import { createProvider } from './identity/provider/board-provider.ts';
import { BoardCalibration } from './public-log/board-calibration.ts';
import type { Checkpoints } from './public-log/checkpoints.ts';
import type { LogFile } from './public-log/log-file.ts';
import type { Uploader } from './object-store/uploader.ts';
import type { Publication } from './publication/read/publication.ts';
import { RateLimiter } from './process/rate-limit.ts';
import { storageFaultOf } from './process/storage-fault.ts';
import type { WitnessClient } from './witness/witness-client.ts';

export interface AppContext {
  config: Config & { baseUrl: string };
  store: Store;
  boardSettings: BoardSettings;
  announcements: Announcements;
  calibration: BoardCalibration;
  sessions: SessionStore;
  provider: Provider;
  boardKey: BoardKey;
  ruleset: Ruleset;
  release: Release;
  publications: Publications;
  publicLog: Pick<LogFile, 'open' | 'openBoards'>;
  checkpoints: Pick<Checkpoints, 'cosigned' | 'fault' | 'show' | 'shown' | 'signed'> & {
    key: Checkpoints['key'] | null;
  };
  /** Null while the board has no witnesses. */
  witnesses: Pick<WitnessClient, 'hasAlarm' | 'witnesses'> | null;
  /** Null while the board makes no backups by itself. */
  backups: Pick<ScheduledBackups, 'makeFor' | 'status'> | null;
  /** Null without an object store. */
  objectStore: Pick<Uploader, 'status'> | null;
  limiter: RateLimiter;
  mailer: Mailer | null;
  /** Keeps sign-in emails for an admin on the same machine while no mail server is configured; else null. */
  devMail: DevMailbox | null;
  logger: Logger;
  now(): Date;
}

/** What the server and the admin CLI have in common. */
export type Board = Pick<AppContext, 'now' | 'store'>;

/** The publications that can be read: the current one of this request, and older ones still in memory. */
export interface Publications {
  current(): Publication | null;
  /** Takes a publication's own number, or the number of a board version, which cursors contain. */
  byId(id: number, as_of?: string): Publication | undefined;
  /**
   * Publishes what was just written. Resolves when readers see it, so that hidden content is gone before the caller
   * answers.
   */
  publishNow(written: Written): Promise<void>;
}

export interface Written {
  /** Whether something public is no longer public. If so, all earlier publications are discarded. */
  hides: boolean;
  /**
   * Texts of a deleted account. The database files are searched for them and overwritten. If another process prevents
   * that, the next publication tries again.
   */
  marks?: Marks;
}

/**
 * How long a write waits for another process. Waiting blocks all requests, so it is short. Callers that get an error
 * meanwhile also get Retry-After.
 */
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

/** Opens the database and creates the services that use it. An older database is backed up, then upgraded. */
export function createContext({ now = () => new Date(), ...options }: ContextOptions): AppContext {
  const { config, logger } = options;
  const store = openStore({
    path: databasePath(config),
    migrations: migrationsPath(config),
    now,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    beforeUpgrade: (first) => {
      const { path, bytes } = backUpBeforeUpgrade(config, first, now());
      logger.info('backed_up_before_upgrade', { path, bytes });
    },
  });
  const boardKey = openBoardKey(store, now());
  const ruleset = openRuleset(store, config.eligibility, now());
  return contextOf({ ...options, now, store, boardKey, ruleset });
}

type Foundation = Required<ContextOptions> & Pick<AppContext, 'boardKey' | 'ruleset' | 'store'>;

/** Creates the services of a board on its store. They write nothing before they are used. */
export function contextOf({
  store,
  boardKey,
  ruleset,
  logger,
  release,
  now,
  ...given
}: Foundation): AppContext {
  const boardSettings = new BoardSettings(store, given.config);
  const config = {
    ...given.config,
    site: siteWith(given.config.site, boardSettings),
    access: accessWith(given.config.access, boardSettings),
  };
  const secure = config.baseUrl.startsWith('https:');
  const sessions = createSessions(store, secure, now, (error) => storageFaultOf(error) !== null);
  const limiter = new RateLimiter(limitsOf(config.limits), () => now().getTime());
  const { authority, mail } = config.signIn;
  const takesMail = !authority && !mail && isLoopbackBoard(config);
  return {
    config,
    store,
    boardSettings,
    announcements: new Announcements({ store, now }),
    calibration: new BoardCalibration(store),
    sessions,
    provider: createProvider({ config, store, sessions, limiter, logger, now }),
    boardKey,
    ruleset,
    release,
    publications: NOTHING_PUBLISHED,
    publicLog: { open: () => null, openBoards: () => null },
    checkpoints: {
      ...{ shown: null, signed: null, cosigned: null, fault: null, key: null },
      show: () => undefined,
    },
    witnesses: null,
    backups: null,
    objectStore: null,
    limiter,
    mailer: mail && createMailer(mail),
    devMail: takesMail ? createDevMailbox(writeToConsole, now) : null,
    logger,
    now,
  };
}
