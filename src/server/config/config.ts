import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { LIMITS, type LimitSettings } from '#core/contract/limits.ts';
import { IN_WORDS } from '#core/domain/text/faults.ts';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import type { BoardSetting, BoardSettingName } from '#core/domain/board/board-setting.ts';
import type { RulesetNumbers } from '#core/domain/board/ruleset.ts';
import {
  AGENT_SETTINGS,
  type AgentConfig,
  agentConfig,
  unfitSatellite,
} from './allowed-origins.ts';
import { BOARD_FILE, type BoardFolder, NO_FOLDER, readBoardFolder } from './board-folder.ts';
import { ConfigError } from './config-error.ts';
import { dataFolder } from './data-folder.ts';
import { findRoot, resolveSetting } from './installation.ts';
import {
  Origin,
  SIGN_IN_SETTINGS,
  type SignInConfig,
  idleSettings,
  incompleteSettings,
  signInConfig,
} from './sign-in-config.ts';
import {
  ACCESS_SETTINGS,
  type Access,
  accessConfig,
  idleJoinRules,
  unfitAccess,
} from './access-config.ts';
import type { Site, SiteFile } from './site.ts';
import {
  OPERATION_SETTINGS,
  type OperationConfig,
  idleBackupSettings,
  operationConfig,
} from './operation-config.ts';
import {
  OBJECT_STORE_SETTINGS,
  type StoreConfig,
  idleObjectStore,
  storeConfig,
  unfitObjectStore,
} from './object-store-config.ts';
import { UPDATE_SETTINGS } from './update-url.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The highest rate limit, in requests per minute. Counts stay exact up to it. */
const MAX_RATE = 1_000_000_000;

/** Which requests are logged: all, those with a status of 500 or more, or none. */
const REQUEST_LOGGING = ['all', 'errors', 'none'] as const;
export type RequestLogging = (typeof REQUEST_LOGGING)[number];

/** The settings. No other code reads environment variables of the board. */
const Settings = z.object({
  BASE_URL: Origin.optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(0, 65_535, 'such as 4321').default(4321),
  DATA_DIR: z.string().min(1).optional(),
  BOARD_NAME: z.string().min(1).max(60).optional(),
  BOARD_DIR: z.string().min(1).optional(),
  REFRESH_SECONDS: numeric(
    'must be a number of seconds from 0.1 to 86400, such as 300',
    0.1,
    86_400,
  ).default(300),
  RATE_LIMIT_PUBLIC: whole(1, MAX_RATE, 'such as 60').default(LIMITS.public.quota),
  RATE_LIMIT_WRITES: whole(1, MAX_RATE, 'such as 20').default(LIMITS.writes.quota),
  TRUST_PROXY: z.string().default('').transform(proxiesIn),
  LOG_REQUESTS: z
    .enum(
      REQUEST_LOGGING,
      `must be ${REQUEST_LOGGING.slice(0, -1).join(', ')} or ${REQUEST_LOGGING.at(-1)}`,
    )
    .default('all'),
  ...ACCESS_SETTINGS,
  WEBHOOK_NETWORKS: z.string().default('').transform(proxiesIn),
  ...SIGN_IN_SETTINGS,
  ...AGENT_SETTINGS,
  ...UPDATE_SETTINGS,
  ...OPERATION_SETTINGS,
  ...OBJECT_STORE_SETTINGS,
});
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape);

function whole(least: number, most: number, example: string) {
  const message = `must be a whole number from ${least} to ${most}, ${example}`;
  return numeric(message, least, most).refine(Number.isInteger, message);
}

function numeric(message: string, least: number, most: number) {
  return z.coerce.number(message).min(least, message).max(most, message);
}

function proxiesIn(list: string, check: z.RefinementCtx): BlockList | null {
  try {
    return readProxies(list);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    check.addIssue(error.message);
    return z.NEVER;
  }
}

export interface Config extends OperationConfig, StoreConfig {
  /** The public address, without a slash at the end; null to derive it from the bound port. */
  baseUrl: string | null;
  host: string;
  port: number;
  dataDir: string;
  site: Site;
  /** What the environment or `board.toml` sets, so that admins cannot choose it in the browser. */
  givenSite: Readonly<Partial<Record<BoardSettingName, BoardSetting>>>;
  /** The settings that were given, by name; null in place of a secret. */
  given: Readonly<Record<string, string | null>>;
  siteFiles: readonly SiteFile[];
  /** The numbers of the ranking rules. */
  eligibility: RulesetNumbers;
  /** How many past days keep their values. */
  valuesDays: number;
  refreshMs: number;
  limits: LimitSettings;
  trustedProxies: BlockList | null;
  requestLogging: RequestLogging;
  access: Access;
  /** The private networks to which webhooks may be sent. */
  webhookNetworks: BlockList | null;
  signIn: SignInConfig;
  agents: AgentConfig;
  /** The address or folder with the releases of this program; null to contact nobody. */
  updateUrl: string | null;
  /** Settings that have no effect together with the others, each with the reason. */
  idleSettings: readonly string[];
  /** The folder of the program: `package.json`, `db/migrations`, `dist`. */
  root: string;
}

/**
 * Reads the settings from an environment. Empty values count as absent.
 *
 * @throws {ConfigError} naming every invalid setting.
 */
export function readConfig(environment: Environment): Config {
  const root = findRoot();
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = Settings.safeParse(Object.fromEntries(given), IN_WORDS);
  const { board, faults } = boardFolder(root, environment['BOARD_DIR']);
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw unusable([
      ...issues.map(({ path, message }) => faultText(path.join('.'), message, environment)),
      ...faults,
    ]);
  }
  const settings = parsed.data;
  const baseUrl = settings.BASE_URL ?? listenUrl({ host: settings.HOST }, settings.PORT);
  const unfit = [
    ...incompleteSettings(settings),
    ...unfitSatellite(settings, { baseUrl, isElsewhere: settings.AUTH_URL !== undefined }),
    ...unfitAccess(settings),
    ...unfitObjectStore(settings),
    ...setTwice(settings, board),
    ...faults,
  ];
  if (unfit.length > 0) throw unusable(unfit);
  if (settings.BASE_URL === undefined && !isLoopbackAddress(settings.HOST)) {
    throw new ConfigError(
      `BASE_URL: must be set because HOST is ${settings.HOST}, which other machines can reach. Set the public address, such as https://bench.example.org`,
    );
  }
  return {
    baseUrl: settings.BASE_URL ?? null,
    host: settings.HOST,
    port: settings.PORT,
    dataDir: dataFolder(environment, root),
    site: { ...board.site, name: settings.BOARD_NAME ?? board.site.name },
    givenSite: givenSite(settings, board),
    given: givenSettings(environment),
    siteFiles: board.files,
    eligibility: board.eligibility,
    valuesDays: board.valuesDays,
    refreshMs: settings.REFRESH_SECONDS * 1000,
    limits: { publicReads: settings.RATE_LIMIT_PUBLIC, writes: settings.RATE_LIMIT_WRITES },
    trustedProxies: settings.TRUST_PROXY,
    requestLogging: settings.LOG_REQUESTS,
    access: accessConfig(settings),
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    signIn: withCohorts(signInConfig(settings), board),
    agents: agentConfig(settings),
    updateUrl: settings.UPDATE_URL ?? null,
    ...operationConfig(settings),
    ...storeConfig(settings),
    idleSettings: [
      ...idleSettings(settings),
      ...idleJoinRules(settings),
      ...idleBackupSettings(settings),
      ...idleObjectStore(settings),
    ],
    root,
  };
}

function givenSite(
  { BOARD_NAME: name, READ: read, JOIN: join }: z.output<typeof Settings>,
  board: BoardFolder,
): Config['givenSite'] {
  const inEnvironment = (value: string): BoardSetting => ({ value, source: 'environment' });
  const inFile = (value: string): BoardSetting => ({ value, source: 'board.toml' });
  return {
    ...(board.name !== null && { name: inFile(board.name) }),
    ...(name !== undefined && { name: inEnvironment(name) }),
    ...(read !== undefined && { read: inEnvironment(read) }),
    ...(join !== undefined && { join: inEnvironment(join) }),
    ...(board.description !== null && { description: inFile(board.description) }),
  };
}

function givenSettings(environment: Environment): Config['given'] {
  const given = SETTING_NAMES.flatMap((name) => {
    const value = environment[name] ?? '';
    return value === '' ? [] : [[name, isSecret(name, value) ? null : value] as const];
  });
  return Object.fromEntries(given);
}

const SECRET_NAMES = /^SMTP_URL$|_SECRET$|_ACCESS_KEY(?:_ID)?$/;

/** Whether a value may hold a password, so that it must not be stored outside the settings. */
export function isSecret(name: string, value: string): boolean {
  return SECRET_NAMES.test(name) || /^\w+:\/\/[^/?#]*@/.test(value);
}

/** These can hold a password. */
const SECRETS = /SECRET|ACCESS_KEY|URL$/;
const MAX_SHOWN = 60;

/** Names the setting, and quotes its value unless that is secret, long, or part of the message. */
function faultText(name: string, message: string, environment: Environment): string {
  const value = environment[name] ?? '';
  const isShown = name === 'BASE_URL' || !SECRETS.test(name);
  const isShort = value !== '' && value.length <= MAX_SHOWN && !message.startsWith('"');
  return `${name}: ${message}${isShown && isShort ? ` (it is "${value}")` : ''}`;
}

function boardFolder(root: string, folder = ''): ReturnType<typeof readBoardFolder> {
  if (folder === '') return { board: NO_FOLDER, faults: [] };
  return readBoardFolder(resolveSetting(folder, root));
}

/** Settings that the environment and `board.toml` set to different values. */
function setTwice(settings: z.output<typeof Settings>, { name, cohorts }: BoardFolder): string[] {
  const { BOARD_NAME, COHORTS } = settings;
  const isNamed = BOARD_NAME !== undefined && name !== null && BOARD_NAME !== name;
  const hasCohorts = COHORTS.length > 0 && cohorts.length > 0;
  const advice = `but name in ${BOARD_FILE} is "${name}". Set only one of them`;
  return [
    ...(isNamed ? [`BOARD_NAME: is "${BOARD_NAME}", ${advice}`] : []),
    ...(hasCohorts
      ? [`COHORTS: is set, and so are cohorts in ${BOARD_FILE}. Set only one of them`]
      : []),
  ];
}

function withCohorts(signIn: SignInConfig, { cohorts }: BoardFolder): SignInConfig {
  return cohorts.length > 0 ? { ...signIn, cohorts } : signIn;
}

function unusable(faults: readonly string[]): ConfigError {
  const lines = faults.map((fault) => `  ${fault}`);
  return new ConfigError(`The settings are invalid:\n${lines.join('\n')}`);
}

export function databasePath(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'opbench.sqlite');
}

export function publicLogPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'log.ndjson.gz');
}

/** The lines of the public log that are not entries, for verifiers that already have the entries. */
export function publicBoardsPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'log-boards.ndjson.gz');
}

/**
 * The largest checkpoint that this board signed. It is not in the database, which may be an older copy.
 *
 * @param generation The number of the log in its origin, if a restored board began a new one.
 */
export function checkpointPath({ dataDir }: Pick<Config, 'dataDir'>, generation = 1): string {
  return join(dataDir, generation === 1 ? 'log-checkpoint' : `log-checkpoint-${generation}`);
}

/** What the witnesses of the log answered, and the newest checkpoint that they cosigned. */
export function witnessStatePath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'log-witnesses.json');
}

/** The key of the board as a witness of other logs, and the last checkpoint that it cosigned of each. */
export function witnessFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'witness');
}

export function migrationsPath(config: Pick<Config, 'root'>): string {
  return join(config.root, 'db', 'migrations');
}

export function listenUrl({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * The proxies in a comma-separated list of addresses, networks such as `10.0.0.0/8`, and `loopback`. Null for an
 * empty list.
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
    const detail = `"${name}" must be an IP address, a network such as 10.0.0.0/8, or loopback`;
    throw new RangeError(detail);
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  proxies.addSubnet(address, Number(bits ?? width), family);
}
