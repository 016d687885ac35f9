/** The commands in the API reference, one for each operation, and what they need to run. */
import type { Me } from '#core/contract/me.ts';
import { CREDENTIALS, TAGS } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { Sessions } from '#core/contract/sessions.ts';
import { aDevice, bucketsOfDays } from './builders.ts';
import type { FullBoard } from '../http/contract-board.ts';
import type { CurlSetting } from '../http/curl.ts';
import { newCode } from '../agent/installation.ts';
import { pictureOf } from '../pages/pictures.ts';
import { eventually } from '../http/server.ts';
import { aLivePayload, anEnrollment } from '../http/wire.ts';

export type Command = [id: string, command: string];

/** Commands that delete something run last. */
const LAST = ['withdrawSubmission', 'restoreSubmission', 'revokeDevice', 'deleteAccount'];

/** The command of each operation, in an order in which all of them can be run. */
export async function commandsOf(board: FullBoard): Promise<Command[]> {
  const pages = await Promise.all(Object.keys(TAGS).map((tag) => pageOf(board, tag)));
  const commands = pages.flatMap(commandsIn);
  return commands.sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
}

/** The page of a group. The page of operators contains the name of the board's operator. */
function pageOf({ server, codename }: FullBoard, tag: string): Promise<string> {
  const ask = async () => (await fetch(`${server.url}/developers/${tag}`)).text();
  const named = tag === 'operators' ? `/api/v1/operators/${codename}/` : '<pre';
  return eventually(ask, (page) => page.includes(named));
}

/** The command of each operation, as a reader would copy it. */
function commandsIn(page: string): Command[] {
  const articles = page.matchAll(/<h3 id="(\w+)"[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/g);
  return [...articles].map(([, id = '', html = '']) => [id, plainText(html)]);
}

function plainText(html: string): string {
  const entities: Record<string, string> = { amp: '&', quot: '"', '#34': '"', '#39': "'" };
  const text = html.replaceAll(/<[^>]+>/g, '');
  return text.replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '?').trim();
}

/** The values that readers have, each for one use. */
export async function settingFor(board: FullBoard, id: string): Promise<CurlSetting> {
  const { server, codename, device, receipt, tokenFor } = board;
  // Ending a session needs a session that nothing else uses.
  const cookie = id === 'endSession' ? await server.signIn('grace') : board.cookie;
  const token = await tokenFor('GET', '/api/v1/me');
  const headers = { Authorization: `Bearer ${token}` };
  const me = (await (await fetch(`${server.url}/api/v1/me`, { headers })).json()) as Me;
  const own = me.device?.id ?? '';
  const { method, path } = tokenPlace(id, { DEVICE: own, SUBMISSION: receipt.id });
  const today = new Date().toISOString().slice(0, 10);
  const snapshot = aLivePayload(server, bucketsOfDays(1, today));
  return {
    variables: {
      COOKIE: cookie,
      TOKEN: await tokenFor(method, path),
      SUBMISSION: receipt.id,
      SESSION: await sessionOf(server.url, cookie),
      DEVICE: own,
      KEY: id === 'getCorpus' ? await server.aKey() : '',
    },
    files: {
      'submitSnapshot.json': JSON.stringify(await device.seal(snapshot)),
      'parseUsage.json': JSON.stringify({ text: 'input 5\noutput 7' }),
      'listKnownDevices.json':
        id === 'listKnownDevices'
          ? JSON.stringify({ code: await newCode(server.url, cookie) })
          : '',
      'enrollDevice.json':
        id === 'enrollDevice' ? await anEnrollment(server, cookie, await aDevice()) : '',
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

/** A token is valid for one method and address. */
function tokenPlace(id: string, { DEVICE, SUBMISSION }: { DEVICE: string; SUBMISSION: string }) {
  const route = ROUTES.find((one) => one.id === id && CREDENTIALS[one.auth].includes('device'));
  if (!route) return { method: 'GET', path: '/api/v1/me' };
  const named = id === 'revokeDevice' ? DEVICE : SUBMISSION;
  return { method: route.method, path: route.path.replace('{id}', named) };
}

async function sessionOf(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/account/sessions`, { headers: { cookie } });
  const { sessions } = (await response.json()) as Sessions;
  return sessions.find(({ current }) => current)?.id ?? '';
}
