import { existsSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { LIMITS, type LimitSettings } from '#core/contract/limits.ts';
import { IN_WORDS } from '#core/domain/text/faults.ts';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import {
  AGENT_SETTINGS,
  type AgentConfig,
  agentConfig,
  unfitSatellite,
} from './allowed-origins.ts';
import { BOARD_FILE, type BoardFolder, NO_FOLDER, readBoardFolder } from './board-folder.ts';
import {
  Origin,
  SIGN_IN_SETTINGS,
  type SignInConfig,
  idleSettings,
  incompleteSettings,
  signInConfig,
} from './sign-in-config.ts';
import type { Site, SiteFile } from './site.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Requests a minute that no admin needs to pass, so that counts stay exact. */
const MAX_RATE = 1_000_000_000;

/** Which requests are logged: all, those that the board failed to answer, or none. */
const REQUEST_LOGGING = ['all', 'errors', 'none'] as const;
export type RequestLogging = (typeof REQUEST_LOGGING)[number];

/** What the admin may set. The only place that knows the environment's names. */
const Settings = z.object({
  BASE_URL: Origin.optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4321),
  DATA_DIR: z.string().min(1).optional(),
  BOARD_NAME: z.string().min(1).max(60).optional(),
  BOARD_DIR: z.string().min(1).optional(),
  REFRESH_SECONDS: z.coerce.number().min(0.1).max(86_400).default(300),
  RATE_LIMIT_PUBLIC: z.coerce.number().int().min(1).max(MAX_RATE).default(LIMITS.public.quota),
  RATE_LIMIT_WRITES: z.coerce.number().int().min(1).max(MAX_RATE).default(LIMITS.writes.quota),
  TRUST_PROXY: z.string().default('').transform(proxiesIn),
  LOG_REQUESTS: z.enum(REQUEST_LOGGING).default('all'),
  ...SIGN_IN_SETTINGS,
  ...AGENT_SETTINGS,
});

function proxiesIn(list: string, check: z.RefinementCtx): BlockList | null {
  try {
    return readProxies(list);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    check.addIssue(error.message);
    return z.NEVER;
  }
}

export interface Config {
  /** The address that people use, without trailing slash; derived from the bound port if not set. */
  baseUrl: string | null;
  host: string;
  port: number;
  dataDir: string;
  site: Site;
  siteFiles: readonly SiteFile[];
  ruleset: Ruleset;
  refreshMs: number;
  limits: LimitSettings;
  trustedProxies: BlockList | null;
  requestLogging: RequestLogging;
  signIn: SignInConfig;
  agents: AgentConfig;
  /** Settings that say nothing as the others are, each with the reason. */
  idleSettings: readonly string[];
  /** The folder of the program: `package.json`, `db/migrations`, `dist`. */
  root: string;
}

/** A setting that cannot be used; the message says which, and what it may be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the configuration from an environment. Empty values count as absent. */
export function readConfig(environment: Environment): Config {
  const root = findRoot();
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = Settings.safeParse(Object.fromEntries(given), IN_WORDS);
  const { board, faults } = boardFolder(root, environment['BOARD_DIR']);
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw unusable([
      ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
      ...faults,
    ]);
  }
  const settings = parsed.data;
  const baseUrl = settings.BASE_URL ?? listenUrl({ host: settings.HOST }, settings.PORT);
  const unfit = [
    ...incompleteSettings(settings),
    ...unfitSatellite(settings, { baseUrl, isElsewhere: settings.AUTH_URL !== undefined }),
    ...setTwice(settings, board),
    ...faults,
  ];
  if (unfit.length > 0) throw unusable(unfit);
  if (settings.BASE_URL === undefined && !isLoopbackAddress(settings.HOST)) {
    throw new ConfigError(
      `HOST is ${settings.HOST}: set BASE_URL to the address that people use, such as https://bench.example.org`,
    );
  }
  return {
    baseUrl: settings.BASE_URL ?? null,
    host: settings.HOST,
    port: settings.PORT,
    dataDir: resolve(root, settings.DATA_DIR ?? 'db/data'),
    site: { ...board.site, name: settings.BOARD_NAME ?? board.site.name },
    siteFiles: board.files,
    ruleset: board.ruleset,
    refreshMs: settings.REFRESH_SECONDS * 1000,
    limits: { publicReads: settings.RATE_LIMIT_PUBLIC, writes: settings.RATE_LIMIT_WRITES },
    trustedProxies: settings.TRUST_PROXY,
    requestLogging: settings.LOG_REQUESTS,
    signIn: withCohorts(signInConfig(settings), board),
    agents: agentConfig(settings),
    idleSettings: idleSettings(settings),
    root,
  };
}

function boardFolder(root: string, folder = ''): ReturnType<typeof readBoardFolder> {
  if (folder === '') return { board: NO_FOLDER, faults: [] };
  return readBoardFolder(resolve(root, folder));
}

/** What the environment says otherwise than the folder does: neither is more right. */
function setTwice(settings: z.output<typeof Settings>, { name, cohorts }: BoardFolder): string[] {
  const { BOARD_NAME, COHORTS } = settings;
  const isNamed = BOARD_NAME !== undefined && name !== null && BOARD_NAME !== name;
  const hasCohorts = COHORTS.length > 0 && cohorts.length > 0;
  const told = `and ${BOARD_FILE} says otherwise: set it in one of them`;
  return [
    ...(isNamed ? [`BOARD_NAME: is "${BOARD_NAME}", ${told}`] : []),
    ...(hasCohorts ? [`COHORTS: are set, and cohorts in ${BOARD_FILE} too: set one of them`] : []),
  ];
}

function withCohorts(signIn: SignInConfig, { cohorts }: BoardFolder): SignInConfig {
  return cohorts.length > 0 ? { ...signIn, cohorts } : signIn;
}

function unusable(faults: readonly string[]): ConfigError {
  const lines = faults.map((fault) => `  ${fault}`);
  return new ConfigError(`The configuration cannot be used:\n${lines.join('\n')}`);
}

export function databasePath(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'opbench.sqlite');
}

export function publicLogPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'log.ndjson.gz');
}

export function migrationsPath(config: Pick<Config, 'root'>): string {
  return join(config.root, 'db', 'migrations');
}

export function listenUrl({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The program runs from its sources and from `dist`; its folder is the one above that holds the migrations. */
export function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'db', 'migrations'))) {
    if (folder === dirname(folder)) throw new ConfigError('The folder db/migrations is missing');
    folder = dirname(folder);
  }
  return folder;
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * The proxies that a list names: addresses, networks such as `10.0.0.0/8`, and `loopback`, with commas in
 * between. Null for an empty list.
 */
export function readProxies(list: string): BlockList | null {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => name === '')) return null;
  const proxies = new BlockList();
  for (const name of names.flatMap((name) => (name === 'loopback' ? LOOPBACK : [name]))) {
    addProxy(proxies, name);
  }
  return proxies;
}

function addProxy(proxies: BlockList, name: string): void {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(name) ?? [];
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  if (version === 0 || address.includes('%') || Number(bits ?? 0) > width) {
    const detail = `"${name}" is no address, no network such as 10.0.0.0/8, and not loopback`;
    throw new RangeError(detail);
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  proxies.addSubnet(address, Number(bits ?? width), family);
}
