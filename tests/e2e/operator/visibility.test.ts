/** What the public sees of an operator in each privacy mode, on every surface of the built server. */
import { globSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { Me } from '#core/contract/me.ts';
import type { Problem } from '#core/contract/problem.ts';
import { PUBLIC_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { markdownPath } from '#core/contract/site-routes.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { addContests } from '#tests/support/board/contests.ts';
import { toolText } from '#tests/support/mcp/mcp-wire.ts';
import {
  type Member,
  type Members,
  aBoardOfModes,
  namesIn,
  setProfile,
} from '#tests/support/http/modes.ts';
import {
  ON_THE_BOARD,
  OPEN,
  PAGES,
  PERSONAL,
  READS,
  type Surface,
  TOOLS,
} from '#tests/support/http/surfaces.ts';
import { tracesIn } from '#tests/support/http/traces.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { type RunningServer, eventually } from '#tests/support/http/server.ts';
import { aLivePayload, postSnapshot } from '#tests/support/http/wire.ts';

const OPEN_NAMES = ['op-identified', 'op-pseudonymous'];

test('every surface is in these tables', () => {
  const reads = ROUTES.filter(({ method, auth }) => method === 'GET' && auth === 'public');
  const files = globSync('**/*.{astro,ts}', { cwd: `${ROOT}src/pages` });
  const pages = files.map((file) => file.replaceAll('\\', '/'));
  const shown = pages.filter((page) => !/^(?:api|\.well-known)\/|^_/.test(page));

  expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  const missing = shown.filter((page) => !(page in PAGES) && !PERSONAL.test(page));
  expect(missing).toEqual([]);
  expect(PUBLIC_TOOLS.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
});

/**
 * A page and its Markdown show the same, since one is made of the other: once for each that shows operators is enough,
 * and of the boards one.
 */
const SURFACES = Object.values({ ...READS, ...PAGES }).map((surface): Surface => {
  const twins = (pages: readonly string[] = []) => {
    const plain = pages.filter((page) => !/\?|board\/(?!30d.yield)|^\/developers/.test(page));
    return plain.flatMap((page) => markdownPath(page) ?? []);
  };
  const { addresses = [], shows = [], ofOperator = [] } = surface;
  return {
    ...surface,
    addresses: [...addresses, ...(shows.length > 0 ? twins(addresses) : [])],
    ofOperator: [...ofOperator, ...twins(ofOperator)],
  };
});
const NOBODY = 'nobody-ever';
const UNKNOWN_ID = '01a1f8d8-1000-7b3e-9f55-0e3b7a1c4f10';

type Read = ReturnType<typeof readerOf>;

/** Reads without credentials, or with some headers. */
function readerOf({ url }: RunningServer) {
  return async (address: string, headers: Record<string, string> = {}) => {
    // The public log is rewritten after an operator hides.
    const answer = await eventually(
      () => fetch(url + address, { headers, redirect: 'manual' }),
      ({ status }) => status !== 503,
    );
    const etag = answer.headers.get('etag') ?? '';
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isPacked = answer.headers.get('content-type') === 'application/gzip';
    return { status: answer.status, etag, text: String(isPacked ? gunzipSync(bytes) : bytes) };
  };
}

/** The addresses for each operator, and whether they are public. */
function askedOf(
  members: Members,
  template: string,
): [address: string, isOpen: boolean, asked: string][] {
  return Object.entries(members).flatMap(([mode, { codename, alias, submission }]) => {
    const isOpen = mode === 'identified' || mode === 'pseudonymous';
    if (template.includes('{id}')) {
      return [[template.replace('{id}', submission), isOpen, submission]];
    }
    const names = alias === null ? [codename] : [codename, alias];
    // Nobody is compared with themselves.
    return names
      .filter((name) => !template.includes(name))
      .map((name): [string, boolean, string] => {
        return [template.replace('{name}', name), isOpen, name];
      });
  });
}

/** Operators without a page get the same answer as unknown operators. */
async function readOfOperators(read: Read, members: Members): Promise<void> {
  for (const template of SURFACES.flatMap(({ ofOperator = [] }) => ofOperator)) {
    const nobody = template.replace('{name}', NOBODY).replace('{id}', UNKNOWN_ID);
    const named = template.includes('{id}') ? UNKNOWN_ID : NOBODY;
    const unknown = withoutAsked((await read(nobody)).text, named);
    for (const [address, isOpen, asked] of askedOf(members, template)) {
      const { status, text } = await read(address);
      expect([address, status]).toEqual([address, isOpen ? 200 : 404]);
      if (!isOpen) expect(withoutAsked(text, asked)).toBe(unknown);
    }
  }
}

/** Tools show the same operators, and answer for those without a page as for unknown ones. */
async function callTools(server: RunningServer, members: Members): Promise<void> {
  for (const [tool, { given = [], shows = [], ofOperator = [] }] of Object.entries(TOOLS)) {
    for (const asked of given) {
      const names = namesIn(await toolText(server, tool, asked), members).sort();
      expect([tool, asked, names]).toEqual([tool, asked, shows]);
    }
    for (const asked of ofOperator) {
      const ask = (codename: string) => toolText(server, tool, { codename, ...asked });
      const unknown = (await ask(NOBODY)).replace(NOBODY, '');
      for (const [name, isOpen] of askedOf(members, '{name}')) {
        const text = await ask(name);
        expect([tool, name, text.includes('"isError":true')]).toEqual([tool, name, !isOpen]);
        if (!isOpen) expect(text.replace(name, '')).toBe(unknown);
      }
    }
  }
}

/** A search does not find operators by hidden data. */
async function search(read: Read, members: Members): Promise<void> {
  for (const [kind, text] of Object.entries(members).flatMap(namesOf)) {
    for (const more of ['', `&as_of=${daysAgo(1)}`]) {
      const address = `/api/v1/leaderboard?q=${encodeURIComponent(text)}${more}`;
      const { total } = JSON.parse((await read(address)).text) as Leaderboard;
      expect([address, total]).toEqual([address, ON_THE_BOARD.includes(kind) ? 1 : 0]);
    }
  }
}

/** A board whose operators have just received their privacy modes, each checked at once. */
async function aSwitchedBoard() {
  const { server, members } = await aBoardOfModes();
  addContests(server, members);
  const read = readerOf(server);
  const namesAt = async (address: string, headers?: Record<string, string>) =>
    namesIn((await read(address, headers)).text, members).sort();
  const everybody = Object.keys(members).map((mode) => `codename of ${mode}`);
  expect(await namesAt('/')).toEqual(expect.arrayContaining(everybody));

  await setProfile(server, members.identified.cookie, { privacy_mode: 'identified' });
  expect(await namesAt('/')).toContain('display_name of identified');
  await setProfile(server, members.private.cookie, { privacy_mode: 'private' });
  expect(await namesAt('/')).not.toContain('codename of private');
  const mode = { privacy_mode: 'anonymous' };
  members.anonymous.alias = (await setProfile(server, members.anonymous.cookie, mode)).public_name;
  expect(await namesAt('/')).not.toContain('codename of anonymous');
  await setProfile(server, members.hidden.cookie, { privacy_mode: 'identified' });
  expect(await namesAt('/')).toContain('display_name of hidden');
  const before = await read('/api/v1/leaderboard?limit=1');
  expect(await admin(server, 'hide', members.hidden.codename)).toEqual({
    status: 0,
    stdout: '',
    stderr: 'op-hidden is hidden from everyone.\n',
  });
  expect(await namesAt('/')).not.toContain('codename of hidden');
  const deletion = await deleteAccount(server.url, members.deleted);
  expect(deletion.status).toBe(200);
  expect(deletion.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=;.*Max-Age=0/)]);
  expect(await namesAt('/')).toEqual(ON_THE_BOARD);
  return { server, members, read, namesAt, before };
}

test('no answer shows more than the privacy mode allows, from the next one after a change', async () => {
  const { server, members, read, namesAt, before } = await aSwitchedBoard();

  // Earlier cursors and tags do not reveal earlier data.
  const { next_cursor: cursor } = JSON.parse(before.text) as Leaderboard;
  const rest = await read(`/api/v1/leaderboard?limit=100&cursor=${cursor}`);
  expect(rest.status).toBe(200);
  expect(ON_THE_BOARD).toEqual(expect.arrayContaining(namesIn(rest.text, members)));
  const again = await read('/api/v1/leaderboard?limit=1', { 'If-None-Match': before.etag });
  expect(again.status).toBe(200);

  for (const { addresses = [], shows = [] } of SURFACES) {
    for (const address of addresses) {
      expect([address, await namesAt(address)]).toEqual([address, shows]);
    }
  }
  const bulk = { 'x-api-key': await server.aKey() };
  expect(await namesAt('/api/v1/corpus', bulk)).toEqual(OPEN);
  await readOfOperators(read, members);
  await search(read, members);
  await callTools(server, members);
  await moderate(server, members, read);
  const shown = await Promise.all(OPEN_NAMES.map((name) => read(`/api/v1/operators/${name}`)));
  expect(shown.map(({ text }) => JSON.parse(text))).toMatchObject([
    { display_name: 'Shown identified', bio: 'bio of Shown identified' },
    { display_name: null, bio: null },
  ]);

  // Private and hidden operators still see their own values; deleted accounts are unknown.
  for (const mode of ['private', 'hidden'] as const) {
    const { standings } = await ownOf(read, members[mode]);
    const reasons = standings.map(({ rank, reasons: [first] }) => [rank, first?.code]);
    expect(reasons).toContainEqual([null, mode]);
  }
  expect((await read('/api/v1/me', { Cookie: members.deleted.cookie })).status).toBe(401);
  const payload = aLivePayload(server, bucketsOfDays(1, daysAgo(1)));
  const refused = await postSnapshot(server, await members.deleted.device.seal(payload));
  expect(refused.body).toMatchObject({ code: 'key_unknown' });
  expect(tracesIn(server.dataDir, piecesOf(members.deleted))).toEqual([]);
});

async function ownOf(read: Read, { cookie }: Member): Promise<Me> {
  return JSON.parse((await read('/api/v1/me', { Cookie: cookie })).text) as Me;
}

/** A decision of the admin, made while the server runs. */
function admin({ dataDir }: RunningServer, kind: string, subject: string) {
  const words = [kind, subject, '--reason', `Because of ${kind}`];
  return runBuilt('opbench-board.mjs', words, { DATA_DIR: dataDir });
}

/** The admin's decision about a submission is published soon, reported to its owner, and logged. */
async function moderate(server: RunningServer, members: Members, read: Read): Promise<void> {
  const { codename, submission } = members.identified;
  const isRanked = async () =>
    namesIn((await read('/')).text, members).includes('codename of identified');
  const operator = () => read(`/api/v1/operators/${codename}`);

  expect(await admin(server, 'hold', submission)).toMatchObject({ status: 0 });
  expect(await eventually(isRanked, (is) => !is)).toBe(false);
  expect((await operator()).status).toBe(404);
  const { notices } = await ownOf(read, members.identified);
  expect(notices).toMatchObject([{ kind: 'held', submission, reason: 'Because of hold' }]);
  const settings = await read('/settings', { Cookie: members.identified.cookie });
  expect(settings.text).toContain('Reason: Because of hold');
  expect(await admin(server, 'hold', submission)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('The submission is already on hold') as string,
  });

  const without = await runBuilt('opbench-board.mjs', ['reject', submission], {});
  expect(without).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--reason') as string,
  });

  expect(await admin(server, 'release', submission)).toMatchObject({ status: 0 });
  expect(await eventually(isRanked, (is) => is)).toBe(true);
  const { stdout } = await runBuilt('opbench-board.mjs', ['audit', '--json', '--limit', '3'], {
    DATA_DIR: server.dataDir,
  });
  const { entries } = JSON.parse(stdout) as { entries: { action: string; codename: string }[] };
  expect(entries.map(({ action }) => action)).toEqual(['release', 'hold', 'key_issue']);
}

function deleteAccount(url: string, { cookie, codename }: Member): Promise<Response> {
  return fetch(`${url}/api/v1/account/delete`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ confirm: codename }),
  });
}

/** The database's data about an account. */
function piecesOf({ codename, display_name, submission, cookie, device }: Member) {
  const { keyid, publicKey, public_key } = device;
  const session = cookie.split('=')[1] ?? '';
  const pieces = { codename, display_name, submission, session, keyid, public_key };
  return { ...pieces, hash: sha256Hex(session), key: Buffer.from(publicKey) };
}

function namesOf([mode, member]: [string, Member]): [kind: string, name: string][] {
  const { codename, display_name, alias } = member;
  const names = Object.entries({ codename, display_name, alias });
  return names.flatMap(([kind, name]) => (name === null ? [] : [[`${kind} of ${mode}`, name]]));
}

/** An error or error page, without the requested name and the caller. */
function withoutAsked(problem: string, asked: string): string {
  if (/^[<#]/.test(problem)) return problem.replaceAll(asked, '');
  const { detail, ...rest } = JSON.parse(problem) as Problem;
  return JSON.stringify({ ...rest, detail: detail.replaceAll(asked, ''), instance: '' });
}
