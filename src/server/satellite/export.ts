/** The companion site as files for another host, with all that it has to know of the board written into them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SatelliteClient, pageTool } from '#core/contract/satellite.ts';
import type { SatelliteConfig } from '../config/allowed-origins.ts';
import type { Config } from '../config/config.ts';
import { satellitePage } from './page.ts';
import { readSatelliteFiles } from './files.ts';

export interface ExportedFile {
  /** Without slash at its beginning. */
  path: string;
  bytes: Buffer;
}

export interface SatelliteBoard {
  config: Pick<Config, 'root' | 'signIn' | 'site' | 'siteFiles'> & { baseUrl: string };
  satellite: SatelliteConfig;
}

/** The page that is asked for; it names all others. */
const INDEX = 'index.html';

/**
 * The same files for the same settings and the same build, the page last.
 *
 * @throws {Error} if the board was not built; `code` is then `ENOENT`.
 */
export function satelliteExport(board: SatelliteBoard): ExportedFile[] {
  const { config, satellite } = board;
  const { root, site, siteFiles, baseUrl } = config;
  const files = readSatelliteFiles(root);
  const client = satelliteClient(board);
  const page = satellitePage({
    site,
    files,
    data: { board: baseUrl, client, tool: pageTool() },
    canonical: satellite.url,
    policy: exportedPolicy(baseUrl, client.issuer),
  });
  const built = join(root, 'dist', 'client');
  const own = files.names.map((name) => [name, readFileSync(join(files.folder, name))] as const);
  const kept = siteFiles.map(({ address, bytes }) => [address.slice(1), bytes] as const);
  const isIconKept = siteFiles.some(({ address }) => address === site.icon);
  const icon = isIconKept
    ? []
    : ([[site.icon.slice(1), readFileSync(join(built, site.icon))]] as const);
  const all = [...own, ...kept, ...icon, [INDEX, Buffer.from(page)] as const];
  return all.map(([path, bytes]) => ({ path, bytes }));
}

export function satelliteClient({ config, satellite }: SatelliteBoard): SatelliteClient {
  const { baseUrl, signIn } = config;
  const { authority } = signIn;
  return {
    id: satellite.clientId,
    issuer: authority?.url ?? baseUrl,
    redirect_uri: satellite.url,
    resource: authority?.audience ?? baseUrl,
  };
}

/** What the page may load and call. A page cannot say by itself who may show it inside another. */
export function exportedPolicy(baseUrl: string, issuer: string): string {
  const origins = new Set([baseUrl, new URL(issuer).origin]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${[...origins].join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}
