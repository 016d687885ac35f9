import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type PreparedResponse, prepare } from './prepared-response.ts';

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

/** Compressed copies that the build creates next to a file. */
const COMPRESSED = /\.(?:br|gz)$/;

/**
 * Loads the built files. Files with a hash in their name may be cached permanently. Files without a compressed copy
 * are compressed now.
 */
export async function loadAssets(folder: string): Promise<Map<string, PreparedResponse>> {
  const assets = new Map<string, PreparedResponse>();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile() && !isCompressed(found.name))) {
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    assets.set(address, await loadAsset(path, VERSIONED.test(address)));
  }
  return assets;
}

/** Prepares a file whose address contains a hash of its content. */
export async function prepareVersioned(bytes: Buffer, mediaType: string) {
  return prepare(bytes, { 'Content-Type': mediaType, 'Cache-Control': `public, ${FOR_EVER}` });
}

async function loadAsset(path: string, immutable: boolean): Promise<PreparedResponse> {
  const maxAge = immutable ? FOR_EVER : 'max-age=300';
  const headers = {
    'Content-Type': mediaTypeOf(path),
    'Cache-Control': `public, ${maxAge}`,
  };
  const compressed = { br: readIfThere(`${path}.br`), gzip: readIfThere(`${path}.gz`) };
  return prepare(readFileSync(path), headers, 200, compressed);
}

export function mediaTypeOf(path: string): string {
  return MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
}

/** Whether a file is a compressed copy that the build created. */
export function isCompressed(name: string): boolean {
  return COMPRESSED.test(name);
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
