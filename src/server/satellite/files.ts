/** The companion site's files, as the build left them, and its page on the board itself. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SatelliteData, pageTool } from '#core/contract/satellite.ts';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { type PreparedResponse, prepare } from '../http/response/prepared-response.ts';
import { isCompressed } from '../http/response/assets.ts';
import { satellitePage } from './page.ts';
import type { Site } from '../config/site.ts';

export interface SatelliteFiles {
  folder: string;
  /** All of them; each name holds a hash of the bytes. */
  names: readonly string[];
  script: string;
  stylesheet: string;
  fonts: readonly string[];
}

/** @throws {Error} if they are not as the build leaves them. */
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

/** The page as the board serves it: whoever is signed in there is signed in on it. */
export async function prepareSatellite(
  files: SatelliteFiles,
  site: Site,
  baseUrl: string,
): Promise<PreparedResponse> {
  const data: SatelliteData = { board: '', client: null, tool: pageTool() };
  const canonical = baseUrl + SATELLITE_PATH;
  const text = satellitePage({ site, files, data, canonical, policy: null });
  return prepare(Buffer.from(text), {
    'Content-Type': 'text/html; charset=utf-8',
    // Asked again each time: the next start may name other files.
    'Cache-Control': 'public, no-cache',
  });
}
