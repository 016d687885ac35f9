/** Finds the proxy for a board, from the environment variables that curl and other programs use. */
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { EXIT, Failure } from './failure.ts';
import type { Environment } from './settings.ts';

/** Boards use https, so HTTP_PROXY is not among them. */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
const EXCEPTIONS = ['no_proxy', 'NO_PROXY'];

/** All variables that decide whether and how a proxy is used. */
export const PROXY_VARIABLES: readonly string[] = [...PROXIES, ...EXCEPTIONS];

export interface Proxy {
  /** Its URL, which may contain a user name and a password. */
  url: URL;
  /** Its URL without credentials, for messages. */
  shown: string;
  variable: string;
}

/**
 * The proxy for a URL. Loopback addresses never use one.
 *
 * @returns Null if the connection is direct.
 * @throws {Failure} `usage` if the variable is not the URL of an HTTP proxy. Its value is never shown.
 */
export async function proxyFor(url: string, environment: Environment): Promise<Proxy | null> {
  const variable = firstSet(PROXIES, environment);
  if (variable === null) return null;
  const target = new URL(url);
  if (target.protocol !== 'https:' || isLoopbackUrl(url)) return null;
  const list = environment[firstSet(EXCEPTIONS, environment) ?? ''] ?? '';
  if (await isException(target, list)) return null;
  return readProxy(variable, environment[variable] ?? '');
}

/** The variable that sets a proxy for http only, if none is set for https. */
export function plainProxyOnly(environment: Environment): string | null {
  if (firstSet(PROXIES, environment) !== null) return null;
  return firstSet(['http_proxy', 'HTTP_PROXY'], environment);
}

function firstSet(names: readonly string[], environment: Environment): string | null {
  return names.find((name) => environment[name]) ?? null;
}

function readProxy(variable: string, text: string): Proxy {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && ['http:', 'https:'].includes(url.protocol)) {
    return { url, shown: `${url.protocol}//${url.host}`, variable };
  }
  const message = /^socks/i.test(text)
    ? `${variable} is a SOCKS proxy, which opbench does not support`
    : `${variable} is not the URL of an HTTP proxy`;
  const hint = 'Set HTTPS_PROXY to http://HOST:PORT, or add the host of the board to NO_PROXY.';
  throw new Failure(EXIT.usage, message, hint);
}

/** Imported only when needed, because it would slow down every start. */
type Net = typeof import('node:net');

interface Target {
  host: string;
  port: string;
}

/** Whether a URL is on a list of exceptions, separated by commas or spaces. */
async function isException({ hostname, port }: URL, list: string): Promise<boolean> {
  const net = await import('node:net');
  const target = { host: unbracketed(hostname), port: port === '' ? '443' : port };
  const entries = list.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => matches(entry, target, net));
}

/** An entry is `*`, a domain including its subdomains, an address, or a network. It may have a port. */
function matches(entry: string, { host, port }: Target, net: Net): boolean {
  if (entry === '*') return true;
  const [name, onlyPort] = net.isIPv6(entry) ? [entry] : splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (net.isIP(host) > 0) return isWithin(unbracketed(name), host, net);
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function splitPort(entry: string): [name: string, port?: string] {
  const [, name, port] = /^(.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  return name === undefined || port === undefined ? [entry] : [name, port];
}

function isWithin(name: string, host: string, { BlockList, isIP }: Net): boolean {
  const [network = '', bits] = name.split('/');
  if (bits === undefined || isIP(network) !== isIP(host)) return name === host;
  const type = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  try {
    list.addSubnet(network, Number(bits), type);
  } catch {
    return false;
  }
  return list.check(host, type);
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
