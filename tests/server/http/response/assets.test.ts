import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishVersioned, loadAssets } from '#server/http/response/assets.ts';

const CONTENT = Buffer.alloc(4_000, 'board');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'opbench-assets-'));
  for (const name of ['logo.png', 'text.woff2', 'page.css']) {
    writeFileSync(join(folder, name), CONTENT);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test('pictures and fonts, which are packed already, are sent as they are', async () => {
  const assets = await loadAssets(folder);
  const logo = await finishVersioned(CONTENT, 'image/png');
  const sizeOf = (name: string) => assets.get(`/${name}`)?.encodings.br.bytes.length;

  expect([sizeOf('logo.png'), sizeOf('text.woff2')]).toEqual([CONTENT.length, CONTENT.length]);
  expect(logo.encodings.br.bytes).toEqual(CONTENT);
  expect(sizeOf('page.css')).toBeLessThan(CONTENT.length);
});
