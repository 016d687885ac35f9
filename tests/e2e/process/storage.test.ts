import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { databasePath } from '#server/config/config.ts';
import { type TestDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type Command, commandsOf, settingFor } from '#tests/support/board/commands.ts';
import { type FullBoard, aFullBoard } from '#tests/support/http/contract-board.ts';
import { type CurlSetting, curl } from '#tests/support/http/curl.ts';
import { CAN_LIMIT, eventsIn, lockDatabase, takeAllRoom } from '#tests/support/board/disk.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, aProblem, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

type Statuses = Record<string, number>;

const USUAL: Statuses = Object.fromEntries(
  ROUTES.map(({ id, statuses: [usual] }) => [id, Number(usual)]),
);

/** Operations that change something. With a device token this includes reads, since the token works only once. */
const WRITES = [
  'contactKeeper',
  'createDeviceCode',
  'deleteAccount',
  'endSession',
  'enrollDevice',
  'getImprovements',
  'getMe',
  'getPeers',
  'listCounts',
  'renameDevice',
  'restoreSubmission',
  'revokeDevice',
  'setAvatar',
  'setDataOptOut',
  'submitSnapshot',
  'updateProfile',
  'withdrawSubmission',
];

/** Every operation of the API with the data for its call, to be called later. */
async function everyOperation(board: FullBoard) {
  const prepared: [...Command, CurlSetting][] = [];
  for (const [id, command] of await commandsOf(board)) {
    prepared.push([id, command, await settingFor(board, id)]);
  }
  return async (): Promise<Statuses> => {
    const statuses: Statuses = {};
    for (const [id, command, setting] of prepared) {
      statuses[id] = (await curl(command, setting)).status;
    }
    return statuses;
  };
}

/** What people see when they follow links or submit a form. */
async function visit({ url }: RunningServer, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, init);
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, text: await response.text() };
}

const NOTHING_STORED = 'The board cannot use its storage at the moment. Nothing was stored.';

/** A full disk rejects every write and no read. */
async function fillDisk(
  { server, cookie }: FullBoard,
  callAll: () => Promise<Statuses>,
): Promise<void> {
  const headers = { cookie };
  const makeRoom = takeAllRoom(server);

  const refused = Object.fromEntries(WRITES.map((id) => [id, 503]));
  expect(await callAll()).toEqual({ ...USUAL, ...refused });

  const page = { status: 503, retryAfter: '2', text: expect.stringContaining(NOTHING_STORED) };
  const codename = { action: 'codename', codename: 'hopper' };
  const form = { method: 'POST', headers, body: new URLSearchParams(codename) };
  expect(await visit(server, '/settings/profile', form)).toEqual(page);
  expect(await visit(server, '/login')).toEqual(page);
  expect(await visit(server, '/settings', { headers })).toMatchObject({ status: 200 });
  expect(await visit(server, '/')).toMatchObject({ status: 200 });

  expect(eventsIn(server.log(), 'storage_failed').length).toBeGreaterThan(WRITES.length);
  expect(server.log()).not.toContain('"level":"error"');
  makeRoom();
}

test('every command of /developers works, even after a full disk rejected them all', async () => {
  const board = await aFullBoard();
  const { server } = board;
  const callAll = await everyOperation(board);
  if (CAN_LIMIT) await fillDisk(board, callAll);

  // None of the rejected changes happened: all of them can be made now, by the same calls.
  expect(await callAll()).toEqual(USUAL);
  await eventually(
    async () => eventsIn(server.log(), 'published').at(-1)?.['log_index'],
    (logIndex) => Number(logIndex) > 5,
  );
});

test('a database that another program locks, or whose file is gone, accepts no write that would be lost', async () => {
  const server = await startServer({ env: { REFRESH_SECONDS: '0.2' } });
  const device = await enrollOverHttp(server, await server.signIn('ada'));
  const seal = (day: string) => device.seal(aLivePayload(server, bucketsOfDays(1, day)));
  const first = await seal('2026-03-01');
  const faults = () => eventsIn(server.log(), 'storage_failed').map(({ fault }) => fault);
  const unlock = lockDatabase(server);

  expect(await postSnapshot(server, first)).toMatchObject(aProblem(503, 'service_unavailable'));
  expect(faults()).toEqual(['busy']);

  unlock();
  expect(await postSnapshot(server, first)).toMatchObject({ status: 201 });
  await eventually(
    async () => eventsIn(server.log(), 'published').at(-1)?.['log_index'],
    (logIndex) => Number(logIndex) > 3,
  );
  await loseFile(server, await seal('2026-03-02'), faults);
});

/** Removes the file for a while. */
async function loseFile(
  server: RunningServer,
  envelope: Awaited<ReturnType<TestDevice['seal']>>,
  faults: () => unknown[],
): Promise<void> {
  const database = databasePath(server);
  const ready = async () => (await fetch(`${server.url}/readyz`)).json() as Promise<object>;
  const failures = () => eventsIn(server.log(), 'publication_failed');
  const before = failures().length;

  renameSync(database, `${database}.away`);
  const said = await eventually(ready, isGone);
  expect(said).toMatchObject({ status: 'unavailable', checks: { database: 'missing' } });
  expect(await postSnapshot(server, envelope)).toMatchObject(aProblem(503, 'service_unavailable'));
  expect(faults()).toEqual(['busy', 'missing']);
  const all = await eventually(
    async () => failures(),
    ({ length }) => length > before,
  );
  expect(String(all.at(-1)?.['advice'])).toContain('Stop the board, then check');

  renameSync(`${database}.away`, database);
  await eventually(ready, (readiness) => !isGone(readiness));
  expect(await postSnapshot(server, envelope)).toMatchObject({ status: 201 });
}

const isGone = (readiness: object) => 'status' in readiness && readiness.status === 'unavailable';
