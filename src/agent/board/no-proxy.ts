/** What `NO_PROXY` lists: the hosts that are reached without a proxy. */

/** Imported when it is needed: it would take every start of the command some milliseconds. */
type Net = typeof import('node:net');

interface Target {
  host: string;
  port: string;
}

/** Whether a URL is on the list, whose entries are separated by commas or spaces. */
export async function isException({ hostname, port }: URL, list: string): Promise<boolean> {
  const net = await import('node:net');
  const target = { host: unbracketed(hostname), port: port === '' ? '443' : port };
  const entries = list.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => matches(entry, target, net));
}

/** An entry is `*`, a domain with all below it, an address or a network. A port narrows it to that port. */
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
