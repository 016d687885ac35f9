/** The built files of the companion site, its page on the board, and its export to another host. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SatelliteData, pageTool, type SatelliteClient } from '#core/contract/satellite.ts';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { prepare } from '../http/response/prepared-response.ts';
import { isCompressed } from '../http/response/assets.ts';
import { satellitePage } from './page.ts';
import type { Site } from '../config/site.ts';
import type { SatelliteConfig } from '#server/config/allowed-origins.ts';
import type { Config } from '#server/config/config.ts';

export interface SatelliteFiles {
  folder: string;
  /** All files; each name contains a hash of the content. */
  names: readonly string[];
  script: string;
  stylesheet: string;
  fonts: readonly string[];
}

/** @throws {Error} if files of the build are missing. */
export function readSatelliteFiles(root: string): SatelliteFiles {
  const folder = join(root, 'dist', 'client', 'satellite');
  const names = readdirSync(folder)
    .filter((name) => !isCompressed(name))
    .sort();
  const one = (pattern: RegExp) => {
    const name = names.find((each) => pattern.test(each));
    if (name !== undefined) return name;
    throw new Error(`${folder} has no file ${String(pattern)}: remove dist and start again`);
  };
  return {
    folder,
    names,
    script: one(/^main-\w+\.js$/),
    stylesheet: one(/^satellite-\w+\.css$/),
    fonts: names.filter((name) => name.endsWith('.woff2')),
  };
}

/** The page on the board itself, which uses the board's session. */
export async function prepareSatellite(files: SatelliteFiles, site: Site, baseUrl: string) {
  const data: SatelliteData = { board: '', client: null, tool: pageTool() };
  const canonical = baseUrl + SATELLITE_PATH;
  const text = satellitePage({ site, files, data, canonical, policy: null });
  return prepare(Buffer.from(text), {
    'Content-Type': 'text/html; charset=utf-8',
    // The next start of the board may refer to other files.
    'Cache-Control': 'public, no-cache',
  });
}

export interface ExportedFile {
  /** Without a leading slash. */
  path: string;
  bytes: Buffer;
}

export interface SatelliteBoard {
  config: Pick<Config, 'root' | 'signIn' | 'site' | 'siteFiles'> & { baseUrl: string };
  satellite: SatelliteConfig;
}

/** The page, which refers to all other files. */
const INDEX = 'index.html';

/**
 * The files to export, the page last. The same settings and build give the same files.
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

/** The content security policy for a meta element, which cannot contain `frame-ancestors`. */
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
