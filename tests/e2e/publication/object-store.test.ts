/** The built server copies its board to an object store. */
import { expect, test } from 'vitest';
import { openStore } from '#db/store.ts';
import { readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { PublishedOperators } from '#server/publication/read/published-operators.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { type TestDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';
import { setProfile } from '#tests/support/http/modes.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';
import { currentIn, readBack } from '#tests/support/store/stored-board.ts';

const BASE_URL = 'https://board.test';

interface Scene {
  s3: S3;
  dataDir: string;
  env: Record<string, string>;
}

async function aScene(options?: { conditional: boolean }): Promise<Scene> {
  const s3 = await startS3(options);
  whenOver(() => void s3.stop());
  return { s3, dataDir: aDataDir(), env: { BASE_URL, ...s3.env } };
}

async function send(server: RunningServer, device: TestDevice, output: number) {
  const buckets = bucketsOfDays(10, daysAgo(10), { output });
  return postSnapshot<{ detail?: string }>(
    server,
    await device.seal(aLivePayload(server, buckets)),
  );
}

/** The names on the board in the store. */
async function namesIn(s3: S3): Promise<string[]> {
  const state = (await readBack(s3)).at(-1)?.data.state;
  if (!state) return [];
  return new PublishedOperators(state).codenames();
}

/** Waits until the store has what the board shows. */
async function untilShown(s3: S3, names: readonly string[]): Promise<void> {
  const ask = () => namesIn(s3).catch(() => []);
  expect(await eventually(ask, (found) => found.join() === names.join())).toEqual(names);
}

test('a board is in the store, and what is hidden is gone within two seconds', async () => {
  const { s3, dataDir, env } = await aScene();
  const server = await startServer({ dataDir, env });
  const cookie = await server.signIn('ada');
  await send(server, await enrollOverHttp(server, cookie), 11_000);
  await send(server, await enrollOverHttp(server, await server.signIn('bob')), 12_000);
  await untilShown(s3, ['ada', 'bob']);
  const before = await currentIn(s3);

  const hidden = await setProfile(server, cookie, { privacy_mode: 'private' });
  expect(hidden).toMatchObject({ public_name: null, other_machines: 'within_2_seconds' });
  const { publication, least, chain } = await currentIn(s3);
  expect(least).toBeGreaterThan(before.publication);
  expect(publication).toBeGreaterThanOrEqual(least);
  const named = chain.map((id) => `publications/${id}`);
  // They are deleted right after the answer.
  const stored = () => s3.keys('publications/');
  expect(await eventually(stored, ({ length }) => length === named.length)).toEqual(named);
  expect(await namesIn(s3)).toEqual(['bob']);

  const page = await fetch(`${server.url}/settings/privacy?done=private`, {
    headers: { Cookie: cookie },
  });
  expect(await page.text()).toContain('Other machines that show this board follow within two');
  const doctor = await runAdmin(['doctor'], { ...env, DATA_DIR: dataDir });
  expect(doctor.stdout).toContain('object store: it supports conditional writes');
  expect(doctor.stdout).toMatch(/object store: publication \d+ was written .* ago/);
  expect(doctor.stdout).toContain('object store: the daily Parquet file is');
  expect(doctor.stdout).toContain('object store: this machine is the writer since');
});

test('a store that fails does not stop the board, which says so', async () => {
  const { s3, dataDir, env } = await aScene();
  s3.decide(() => 503);
  const server = await startServer({ dataDir, env });
  const cookie = await server.signIn('ada');
  const sent = await send(server, await enrollOverHttp(server, cookie), 11_000);
  expect(sent.status).toBe(201);
  const ready = await eventually(
    async () => (await fetch(`${server.url}/readyz`)).json() as Promise<Ready>,
    ({ checks }) => checks.object_store === 'failing',
  );
  expect(ready).toMatchObject({ status: 'ready', checks: { object_store: 'failing' } });
  expect(ready.reasons.join()).toContain('The object store cannot be reached');
  expect(server.log()).toContain('"event":"object_store_failed","fault":"unreachable"');
  const startedMs = performance.now();
  const hidden = await setProfile(server, cookie, { privacy_mode: 'private' });
  expect(hidden).toMatchObject({ other_machines: 'within_30_seconds' });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const page = await fetch(`${server.url}/settings/privacy?done=private`, {
    headers: { Cookie: cookie },
  });
  expect(await page.text()).toContain('stop showing it within 30 seconds');
  const shown = await setProfile(server, cookie, { privacy_mode: 'pseudonymous' });
  expect(shown).not.toHaveProperty('other_machines');
  s3.decide(() => 'pass');
  await untilShown(s3, ['ada']);
});

interface Ready {
  status: string;
  checks: Record<string, string>;
  reasons: string[];
}

test('kill -9 during an upload leaves a store that can be read, and the next start repairs it', async () => {
  const { s3, dataDir, env } = await aScene();
  let server = await startServer({ dataDir, env });
  const device = await enrollOverHttp(server, await server.signIn('ada'));
  await send(server, device, 11_000);
  await untilShown(s3, ['ada']);
  const kinds = ['facts/', 'publications/', 'log/', 'current'];
  for (const [at, kind] of kinds.entries()) {
    const { promise, resolve } = Promise.withResolvers<string>();
    s3.decide(({ method, key }) => {
      if (method !== 'PUT' || !key.startsWith(kind)) return 'pass';
      resolve(key);
      return 'hang';
    });
    await send(server, device, 20_000 + at);
    await promise;
    await server.stop('SIGKILL');
    s3.decide(() => 'pass');
    expect(await namesIn(s3)).toEqual(['ada']);
    server = await startServer({ dataDir, env });
    const { publication } = await currentIn(s3);
    await send(server, device, 30_000 + at);
    await eventually(
      () => currentIn(s3),
      (current) => current.publication > publication,
    );
    expect(await namesIn(s3)).toEqual(['ada']);
  }
});

test.each([[true], [false]])(
  'a writer whose claim was taken over stops for good (conditional writes: %s)',
  async (conditional) => {
    const { s3, dataDir, env } = await aScene({ conditional });
    const server = await startServer({ dataDir, env });
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    await send(server, device, 11_000);
    await untilShown(s3, ['ada']);
    const before = await readClaim(s3.store);
    if (before === null) throw new Error('There is no claim');
    await takeOverClaim(s3.store, { before, dataDir: aDataDir(), logSize: 1, now: new Date() });
    const ready = await eventually(
      () => fetch(`${server.url}/readyz`),
      ({ status }) => status === 503,
    );
    expect(await ready.json()).toMatchObject({
      checks: { process: 'fenced', object_store: 'fenced' },
      reasons: [expect.stringContaining('Another machine became the writer')],
    });
    expect(server.log()).toContain('"event":"fenced"');
    const entries = entriesIn(dataDir);
    const sent = await send(server, device, 12_000);
    expect(sent.status).toBe(503);
    expect(sent.body.detail).toContain('Another machine became the writer');
    expect((await fetch(`${server.url}/`)).status).toBe(503);
    expect(entriesIn(dataDir)).toBe(entries);
    await server.stop();
    await expect(startServer({ dataDir, env })).rejects.toThrow(
      'Another machine became the writer of this board',
    );
  },
);

function entriesIn(dataDir: string): number {
  const path = `${dataDir}/opbench.sqlite`;
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  const index = store.log.head()?.index ?? 0;
  store.close();
  return index;
}
