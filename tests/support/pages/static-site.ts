/** A plain static host on loopback, like one that an admin may rent. It serves a folder below a path. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the current files of the folder until the end of the test. Returns the address of its index. */
export async function aStaticSite(folder: string, path = '/peers/'): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host.invalid');
    const name = pathname.startsWith(path) ? pathname.slice(path.length) : '\0';
    const file = join(folder, name === '' ? 'index.html' : name.replaceAll(/\0|\.\./g, '_'));
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': MEDIA_TYPES[extname(file)] ?? 'text/plain' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  // Another host name than the board's, so that browsers treat it as another site.
  return `http://localhost:${(server.address() as AddressInfo).port}${path}`;
}
