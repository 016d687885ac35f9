import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type Finished, finish } from './prepared-response.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The folders whose files have a hash in their name. */
const VERSIONED = /^\/(?:_astro|satellite)\//;

const FOR_EVER = 'max-age=31536000, immutable';

/** Loads the built files: those with a hash in their name may be kept for ever. */
export async function loadAssets(folder: string): Promise<Map<string, Finished>> {
  const assets = new Map<string, Finished>();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    assets.set(address, await loadAsset(path, VERSIONED.test(address)));
  }
  return assets;
}

/** Finishes a file whose address names its content. */
export async function finishVersioned(bytes: Buffer, mediaType: string): Promise<Finished> {
  return finish(bytes, { 'Content-Type': mediaType, 'Cache-Control': `public, ${FOR_EVER}` });
}

async function loadAsset(path: string, immutable: boolean): Promise<Finished> {
  const maxAge = immutable ? FOR_EVER : 'max-age=300';
  return finish(readFileSync(path), {
    'Content-Type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': `public, ${maxAge}`,
  });
}
