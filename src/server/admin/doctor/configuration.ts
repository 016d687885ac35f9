import { passkeyDomain } from '#core/domain/account/passkey.ts';
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { type Config, listenUrl } from '#server/config/config.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { isLoopbackBoard } from '#server/process/loopback-request.ts';
import { type ServedSettings, readServedConfig } from '#server/running-server.ts';
import { VERSION } from '#core/cli/version.ts';
import { EXIT } from '../command.ts';
import { type DoctorCheck, checksOf } from './check.ts';

const program = checksOf('program');
const { ok, warning, problem } = checksOf('configuration');

export function programChecks(): DoctorCheck[] {
  return [program.ok(`opbench-board ${VERSION} on Node ${process.versions.node}`)];
}

/** Checks the settings. `config` is null if they are invalid. */
export function configurationChecks(settings: ServedSettings): {
  config: Config | null;
  checks: DoctorCheck[];
} {
  try {
    const config = readServedConfig(settings);
    return { config, checks: [summary(config), ...gaps(settings), ...doubts(config, settings)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const checks = faultsOf(error).map((text) => problem(text, ADVICE));
    return { config: null, checks: checks.map((check) => ({ ...check, exit: EXIT.usage })) };
  }
}

const ADVICE =
  'Correct the setting. The board does not start until you do. Any running board lists all settings at /docs/run/configure';

/** The faults in a message: its only line, or every line below its heading. */
function faultsOf({ message }: ConfigError): string[] {
  const [heading = '', ...faults] = message.split('\n');
  return faults.length === 0 ? [heading] : faults.map((fault) => fault.trim());
}

function summary(config: Config): DoctorCheck {
  const listens = listenUrl(config, config.port);
  const { baseUrl } = config;
  const address = baseUrl === null || baseUrl === listens ? listens : `${baseUrl} (on ${listens})`;
  return ok(`${config.site.name} is served at ${address}`);
}

const NAME_FILE = 'Name a file with the settings that this user can read: --env-file FILE';

/** Settings of the server that this command cannot know. */
function gaps({ unknown, unread, server }: ServedSettings): DoctorCheck[] {
  if (unknown.length > 0) {
    const reason = unread ?? 'it is set only in the environment of the server';
    const advice =
      unread === null
        ? 'Set it for this command, too, or move it to a file and start the board with --env-file FILE'
        : NAME_FILE;
    return [warning(`not checked: ${unknown.join(', ')}, because ${reason}`, advice)];
  }
  // While the server runs, everything else is in its note.
  if (unread === null || server !== null) return [];
  const text = `the settings with which the board ran last are unknown, because ${unread}`;
  return [warning(text, NAME_FILE)];
}

function doubts(config: Config, { environment }: ServedSettings): DoctorCheck[] {
  const folder = environment['BOARD_DIR'] ?? '';
  return [
    ...(folder === '' ? [] : [ok(`BOARD_DIR ${folder} is valid`)]),
    ...config.idleSettings.map((text) =>
      warning(`no effect: ${text}`, 'Remove the setting, or set what it needs.'),
    ),
    ...configurationDoubts(config),
  ];
}

/** Settings that are valid but probably not intended. */
export function configurationDoubts(config: Config): DoctorCheck[] {
  return [...addressDoubts(config), ...signInDoubts(config)];
}

function addressDoubts({ baseUrl, trustedProxies, host }: Config): DoctorCheck[] {
  if (baseUrl === null || isLoopbackUrl(baseUrl)) return [];
  const isPlain = baseUrl.startsWith('http:');
  const isBehind = isLoopbackUrl(`http://${host.includes(':') ? `[${host}]` : host}`);
  return [
    ...(isPlain
      ? [
          warning(
            'BASE_URL begins with http://, so others on the network can read sign-ins and keys',
            'Put a proxy with HTTPS in front of the board, such as Caddy, and set BASE_URL to the https:// address.',
          ),
        ]
      : []),
    ...(isBehind && trustedProxies === null
      ? [
          warning(
            'TRUST_PROXY is not set, so all readers behind the proxy share one rate limit',
            'If the proxy is on this machine, set TRUST_PROXY=loopback',
          ),
        ]
      : []),
  ];
}

function signInDoubts(config: Config): DoctorCheck[] {
  const { authority, github, twitter, mail, passkeys } = config.signIn;
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const hasPasskeys = passkeys !== 'off' && passkeyDomain(baseUrl) !== null;
  const canSignIn = hasPasskeys || (authority ?? github ?? twitter ?? mail);
  if (canSignIn || isLoopbackBoard({ ...config, baseUrl })) return [];
  return [
    warning(
      'people can sign in only with a link that you create (opbench-board login-link CODENAME)',
      'Serve the board over HTTPS for passkeys, or set up GitHub, X, email or an OpenID provider: see /docs/run/sign-in on the board',
    ),
  ];
}
