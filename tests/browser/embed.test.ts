/** The small board in a frame of another site. */
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { aBoardFolder } from '../support/board/board-folder.ts';
import { aFullBoard } from '../support/http/contract-board.ts';
import { theBrowser } from '../support/pages/browser.ts';

/** A site with one page, which has a frame. */
async function aSite(frame: () => string): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Blog</title><iframe src="${frame()}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The text in the frame of a site; empty if the browser refuses to show it. */
async function framed(url: string): Promise<string> {
  const context = await (await theBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load' });
  const frame = page.frames()[1];
  if (!frame?.url().includes('/embed/')) return '';
  return frame.locator('body').innerText();
}

test('is shown by the sites that the admin chose, without scripts, and by no other', async () => {
  let address = '';
  const chosen = await aSite(() => address);
  const other = await aSite(() => address);
  const folder = aBoardFolder({ 'board.toml': `embed = ["${chosen}"]` });
  const { server, codename } = await aFullBoard({ env: { BOARD_DIR: folder } });
  address = `${server.url}/embed/board?window=all_time&metric=yield&tool=`;
  const html = await (await fetch(address)).text();

  expect(html).not.toContain('<script');
  expect(await framed(chosen)).toContain('All time, all tools');
  expect(await framed(other)).toBe('');
  address = `${server.url}/operators/${codename}`;
  expect(await framed(chosen)).toBe('');
});

test('is shown by no other site unless the admin chooses one', async () => {
  let address = '';
  const other = await aSite(() => address);
  const { server } = await aFullBoard();
  address = `${server.url}/embed/board`;

  expect(await framed(other)).toBe('');
});
