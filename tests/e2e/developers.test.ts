import { describe, expect, test } from 'vitest';
import type { Me } from '#core/contract/me.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { Sessions } from '#core/contract/sessions.ts';
import { aPage, overflowOf } from '../support/browser.ts';
import { aDevice, bucketsOfDays } from '../support/builders.ts';
import { type FullBoard, aFullBoard } from '../support/contract-board.ts';
import { type CurlSetting, curl } from '../support/curl.ts';
import { pictureOf } from '../support/pictures.ts';
import { eventually, startServer } from '../support/server.ts';
import { aLivePayload, anEnrollment } from '../support/wire.ts';

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** The page once it names the board's operator. */
function pageOf({ server, codename }: FullBoard): Promise<string> {
  const ask = () => textOf(`${server.url}/developers`);
  return eventually(ask, (page) => page.includes(`/api/v1/operators/${codename}/`));
}

/** The command of each operation, as a reader would copy it. */
function commandsIn(page: string): [id: string, command: string][] {
  const articles = page.matchAll(/<h3 id="(\w+)"[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/g);
  return [...articles].map(([, id = '', html = '']) => [id, plainText(html)]);
}

function plainText(html: string): string {
  const entities: Record<string, string> = { amp: '&', quot: '"', '#34': '"', '#39': "'" };
  const text = html.replaceAll(/<[^>]+>/g, '');
  return text.replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '?').trim();
}

/** What readers have at hand, each to be used once. */
async function settingFor(board: FullBoard, id: string): Promise<CurlSetting> {
  const { server, codename, device, receipt, tokenFor } = board;
  // Who ends a session needs one that nothing else needs.
  const cookie = id === 'endSession' ? await server.signIn('grace') : board.cookie;
  const token = await tokenFor('GET', '/api/v1/me');
  const headers = { Authorization: `Bearer ${token}` };
  const me = (await (await fetch(`${server.url}/api/v1/me`, { headers })).json()) as Me;
  const own = me.device?.id ?? '';
  // A token is good for one address.
  const ownRead = ROUTES.find((route) => route.id === id && route.auth === 'operator');
  const path = id === 'revokeDevice' ? `/api/v1/devices/${own}` : (ownRead?.path ?? '/api/v1/me');
  const today = new Date().toISOString().slice(0, 10);
  const snapshot = aLivePayload(server, bucketsOfDays(1, today));
  return {
    variables: {
      COOKIE: cookie,
      TOKEN: await tokenFor(id === 'revokeDevice' ? 'DELETE' : 'GET', path),
      SUBMISSION: receipt.id,
      SESSION: await sessionOf(server.url, cookie),
      DEVICE: own,
      KEY: id === 'getCorpus' ? await server.aKey() : '',
    },
    files: {
      'submitSnapshot.json': JSON.stringify(await device.seal(snapshot)),
      'parseUsage.json': JSON.stringify({ text: 'input 5\noutput 7' }),
      'enrollDevice.json': await anEnrollment(server, cookie, await aDevice()),
      'renameDevice.json': JSON.stringify({ label: 'Desk' }),
      'updateProfile.json': JSON.stringify({ bio: 'I count.' }),
      'setCodename.json': JSON.stringify({ codename }),
      'deleteAccount.json': JSON.stringify({ confirm: codename }),
      'setDataOptOut.json': JSON.stringify({ opt_out: true }),
      'contactKeeper.json': JSON.stringify({ subject: 'Hello', message: 'Is anybody there?' }),
      'picture.png': (await pictureOf('png')).toString('latin1'),
    },
  };
}

async function sessionOf(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/account/sessions`, { headers: { cookie } });
  const { sessions } = (await response.json()) as Sessions;
  return sessions.find(({ current }) => current)?.id ?? '';
}

/** What takes something away comes last. */
const LAST = ['withdrawSubmission', 'revokeDevice', 'deleteAccount'];

describe('/developers', () => {
  test('has a command for every operation, and each does what it says', async () => {
    const board = await aFullBoard();
    const commands = commandsIn(await pageOf(board));
    const inOrder = commands.sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
    const statuses: [string, number][] = [];
    for (const [id, command] of inOrder) {
      const response = await curl(command, await settingFor(board, id));
      statuses.push([id, response.status]);
    }

    const declared = ROUTES.map(({ id, statuses: [usual] }) => [id, usual]);
    expect(statuses.sort()).toEqual(declared.sort());
  });

  test('links only to what is there', async () => {
    const { url } = await startServer();
    const page = await textOf(`${url}/developers`);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    const inside = links.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
    const outside = new Set(links.filter((href) => href.startsWith('/')));

    expect(inside.length).toBeGreaterThan(60);
    expect(inside.filter((id) => !ids.has(id))).toEqual([]);
    expect(ROUTES.filter(({ id }) => !ids.has(id))).toEqual([]);
    for (const code of Object.keys(PROBLEMS)) expect(outside).toContain(`/problems/${code}`);
    for (const href of outside) {
      // Some lead to signing in first.
      expect((await fetch(url + href, { redirect: 'manual' })).status).toBeLessThan(400);
    }
  });

  test('says on an empty board that some examples wait for an operator', async () => {
    const { url } = await startServer();
    expect(await textOf(`${url}/developers`)).toContain('Nobody has submitted yet');
  });

  test.each([
    [360, false],
    [360, true],
    [1280, false],
    [1280, true],
  ])(
    'fits a screen of %i pixels (dark: %s), without script and in silence',
    async (width, dark) => {
      const { server } = await aFullBoard();
      const { page, misdeeds } = await aPage(server.url, { width, dark, script: false });
      for (const address of ['/developers', '/methodology', '/science']) {
        await page.goto(server.url + address);
        expect([address, await overflowOf(page)]).toEqual([address, 0]);
      }
      expect(misdeeds).toEqual({ console: [], foreign: [] });
    },
  );
});

describe('/openapi.json', () => {
  test('is the same bytes each time, and 304 to who has them', async () => {
    const { url } = await startServer();
    const first = await fetch(`${url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${url}/openapi.json`, { headers: { 'If-None-Match': etag } });

    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=300/);
    expect(again.status).toBe(304);
    expect(((await first.json()) as { servers: unknown[] }).servers).toEqual([
      expect.objectContaining({ url }),
    ]);
  });
});
