import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareVersioned, loadAssets } from '#server/http/response/assets.ts';

const CONTENT = Buffer.alloc(4_000, 'board');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'opbench-assets-'));
  for (const name of ['logo.png', 'text.woff2', 'page.css']) {
    writeFileSync(join(folder, name), CONTENT);
  }
});

/** Bytes that the server's own compression never produces. */
const BR = brotliCompressSync(Buffer.alloc(4_000, 'built'));
const GZIP = gzipSync(Buffer.alloc(4_000, 'built'));

afterAll(() => rmSync(folder, { recursive: true }));

test('pictures and fonts, which are already compressed, are sent unchanged', async () => {
  const assets = await loadAssets(folder);
  const logo = await prepareVersioned(CONTENT, 'image/png');
  const sizeOf = (name: string) => assets.get(`/${name}`)?.encodings.br.bytes.length;

  expect([sizeOf('logo.png'), sizeOf('text.woff2')]).toEqual([CONTENT.length, CONTENT.length]);
  expect(logo.encodings.br.bytes).toEqual(CONTENT);
  expect(sizeOf('page.css')).toBeLessThan(CONTENT.length);
});

test('files that the build compressed are sent unchanged, and have no address', async () => {
  writeFileSync(join(folder, 'built.js'), CONTENT);
  writeFileSync(join(folder, 'built.js.br'), BR);
  writeFileSync(join(folder, 'built.js.gz'), GZIP);

  const assets = await loadAssets(folder);

  const { identity, br, gzip } = assets.get('/built.js')?.encodings ?? {};
  expect([identity?.bytes, br?.bytes, gzip?.bytes]).toEqual([CONTENT, BR, GZIP]);
  expect(br?.head).toEqual(expect.arrayContaining(['Content-Encoding', 'br']));
  expect(new Set([identity?.etag, br?.etag, gzip?.etag]).size).toBe(3);
  expect([...assets.keys()].filter((name) => name.startsWith('/built'))).toEqual(['/built.js']);
});

test('files that the build did not compress are compressed at startup', async () => {
  const assets = await loadAssets(folder);

  const { gzip } = assets.get('/page.css')?.encodings ?? {};
  expect(gunzipSync(gzip?.bytes ?? '')).toEqual(CONTENT);
});
