import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { type Config, ConfigError, type Environment, listenUrl } from '#server/config/config.ts';
import { isLoopbackBoard } from '#server/process/loopback-request.ts';
import { readServedConfig } from '#server/running-server.ts';
import { VERSION } from '#core/cli/version.ts';
import { EXIT } from '../command.ts';
import { type DoctorCheck, checksOf } from './check.ts';

const program = checksOf('program');
const { ok, warning, problem } = checksOf('configuration');

export function programChecks(): DoctorCheck[] {
  return [program.ok(`opbench-board ${VERSION} on Node ${process.versions.node}`)];
}

/** What the environment makes of the board; no configuration if nothing can be made of it. */
export function configurationChecks(environment: Environment): {
  config: Config | null;
  checks: DoctorCheck[];
} {
  try {
    const config = readServedConfig(environment);
    return { config, checks: [summary(config), ...doubts(config, environment)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const checks = faultsOf(error).map((text) => problem(text, ADVICE));
    return { config: null, checks: checks.map((check) => ({ ...check, exit: EXIT.usage })) };
  }
}

const ADVICE = 'Set it right; the board does not start before. README.md lists all settings';

/** The message has a line a fault, below a heading if there may be several. */
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

function doubts(config: Config, environment: Environment): DoctorCheck[] {
  const folder = environment['BOARD_DIR'] ?? '';
  return [
    ...(folder === '' ? [] : [ok(`the board folder ${folder} can be used`)]),
    ...config.idleSettings.map((text) => warning(`without effect: ${text}`, 'Take it out')),
    ...addressDoubts(config),
    ...signInDoubts(config),
  ];
}

function addressDoubts({ baseUrl, trustedProxies, host }: Config): DoctorCheck[] {
  if (baseUrl === null || isLoopbackUrl(baseUrl)) return [];
  const isPlain = baseUrl.startsWith('http:');
  const isBehind = isLoopbackUrl(`http://${host.includes(':') ? `[${host}]` : host}`);
  return [
    ...(isPlain
      ? [
          warning(
            'BASE_URL begins with http://: sign-ins and keys can be read on their way',
            'Put a proxy with a certificate in front, such as Caddy, and set BASE_URL to https://',
          ),
        ]
      : []),
    ...(isBehind && trustedProxies === null
      ? [
          warning(
            'TRUST_PROXY is not set: all readers behind the proxy share the limits of one',
            'Set TRUST_PROXY=loopback if the proxy is on this machine',
          ),
        ]
      : []),
  ];
}

function signInDoubts(config: Config): DoctorCheck[] {
  const { authority, github, twitter, mail } = config.signIn;
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const canSignIn = authority ?? github ?? twitter ?? mail;
  if (canSignIn || isLoopbackBoard({ ...config, baseUrl })) return [];
  return [
    warning(
      'nobody can sign in but by a link of yours (opbench-board login-link)',
      'Set up GitHub, X, mail or an OpenID provider',
    ),
  ];
}
