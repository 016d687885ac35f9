import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { checkCheckpoint } from '#core/domain/tlog/checkpoint-check.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { parsePolicy } from '#core/domain/tlog/policy.ts';
import { sha256 } from '#server/process/crypto.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import {
  type RunningServer,
  eventually,
  sharedServer,
  startServer,
} from '#tests/support/http/server.ts';
import { aTreeLog } from '#tests/support/tlog/tree-log.ts';
import { aLoopbackWitness } from '#tests/support/tlog/loopback-witness.ts';

async function read({ url }: RunningServer, path: string): Promise<string> {
  const response = await fetch(url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

const board = ({ dataDir, url }: RunningServer, ...words: string[]) => {
  return runAdmin(words, { DATA_DIR: dataDir, BASE_URL: url });
};

const sizeOf = (note: string) => parseCheckpoint(parseNote(note).text).size;
const isCosigned = (note: string) => parseNote(note).signatures.length === 2;

/** A board that keeps its address over restarts. */
async function aBoard() {
  const [dataDir, port] = [aDataDir(), await aFreePort()];
  const policy = join(aDataDir(), 'policy');
  const start = (env = {}) => startServer({ dataDir, env: { PORT: String(port), ...env } });
  return { policy, start, withWitness: () => start({ WITNESS_POLICY: policy }) };
}

describe('two boards', () => {
  test('witness each other, and keep the cosignatures over a restart', async () => {
    const [ada, bo] = [await aBoard(), await aBoard()];
    let [first, second] = [await ada.start(), await bo.start()];
    const ofAda = (await board(first, 'witness', 'show')).stdout;
    const ofBo = (await board(second, 'witness', 'show')).stdout;
    const logKey = (policy: string) => policy.split(' ')[1] ?? '';
    expect((await board(first, 'witness', 'add', logKey(ofBo))).status).toBe(0);
    expect((await board(second, 'witness', 'add', logKey(ofAda))).status).toBe(0);
    writeFileSync(ada.policy, ofBo);
    writeFileSync(bo.policy, ofAda);

    await Promise.all([first.stop(), second.stop()]);
    [first, second] = await Promise.all([ada.withWitness(), bo.withWitness()]);
    // One of them may have asked before the other one was there.
    await eventually(() => read(second, '/log/checkpoint'), isCosigned);
    await first.stop();
    first = await ada.withWitness();

    for (const [server, own, others] of [
      [first, ofAda, ofBo],
      [second, ofBo, ofAda],
    ] as const) {
      const note = await eventually(() => read(server, '/log/checkpoint'), isCosigned);
      const [log = ''] = own.split('\n');
      const text = `${log}\n${others.split('\n').slice(1).join('\n')}`;
      const { cosigned } = await checkCheckpoint(note, parsePolicy(text, sha256), verifyStrict);
      expect(cosigned.size).toBe(1);
    }

    const [, policy = ''] = /```\n([^]*?)```/.exec(await read(first, '/transparency.md')) ?? [];
    const note = await read(first, '/log/checkpoint');
    const { cosigned } = await checkCheckpoint(note, parsePolicy(policy, sha256), verifyStrict);
    expect([...cosigned.keys()]).toEqual([`${new URL(second.url).host}/witness`]);
    const page = await read(first, '/transparency');
    expect(page).toContain(`The first ${sizeOf(await read(first, '/log/checkpoint'))} entries`);
    expect(page).toContain(`${new URL(second.url).host}/witness`);
    const listed = await board(second, 'witness', 'list', '--json');
    const { entries } = JSON.parse(listed.stdout) as { entries: { size: number }[] };
    expect(entries[0]?.size).toBe(sizeOf(await read(first, '/log/checkpoint')));

    await Promise.all([first.stop(), second.stop()]);
    const alone = await ada.withWitness();
    expect(isCosigned(await read(alone, '/log/checkpoint'))).toBe(true);
    expect(await (await fetch(`${alone.url}/readyz`)).json()).toMatchObject({
      checks: { witnesses: 'ok' },
    });
  });
});

describe('a board whose witness', () => {
  test('sees another history says so in /readyz, doctor and on its page', async () => {
    const witness = await aLoopbackWitness(() => ({ status: 422, body: '' }), 'bad.example/w');
    const { policy, withWitness } = await aBoard();
    writeFileSync(policy, `witness bad ${witness.vkey} ${witness.url}/\nquorum bad\n`);
    const server = await withWitness();

    const readiness = await eventually(
      async () => (await fetch(`${server.url}/readyz`)).json() as Promise<{ reasons: string[] }>,
      ({ reasons }) => reasons.length > 0,
    );

    expect(readiness).toMatchObject({ status: 'ready', checks: { witnesses: 'alarm' } });
    expect(server.log()).toContain('witness_alarm');
    expect(await read(server, '/transparency')).toContain('contradicts what it saw before');
    const environment = { DATA_DIR: server.dataDir, WITNESS_POLICY: policy };
    const doctor = await runAdmin(['doctor', '--offline'], environment);
    expect(doctor.stdout).toMatch(/^problem +witness: bad states that the log contradicts/m);
    expect(isCosigned(await read(server, '/log/checkpoint'))).toBe(false);
  });
});

describe('/witness/add-checkpoint', () => {
  const shared = sharedServer(() => ({ env: { READ: 'members' } }));
  const post = async (body: string, init: RequestInit = {}) => {
    const { url } = await shared();
    return fetch(`${url}/witness/add-checkpoint`, { method: 'POST', body, ...init });
  };

  test('answers everybody by the standard, also on a board for members', async () => {
    const log = aTreeLog(`${aDataDir()}/log`).grow(3);
    expect((await post(log.request(0))).status).toBe(404);
    await board(await shared(), 'witness', 'add', log.vkey);

    const cosigned = await post(log.request(0));
    const conflict = await post(log.grow(1).request(0));
    const split = await post(log.fork(2).grow(5).request(3));

    expect([cosigned.status, cosigned.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await cosigned.text()).toMatch(/^— \S+\/witness [A-Za-z0-9+/=]+\n$/);
    expect([conflict.status, await conflict.text()]).toEqual([409, '3\n']);
    expect(conflict.headers.get('content-type')).toBe('text/x.tlog.size');
    expect(split.status).toBe(422);
    expect((await shared()).log()).toContain('witness_refused');
  });

  test('rejects other methods, large bodies and bodies that are not text', async () => {
    const { url } = await shared();
    expect((await fetch(`${url}/witness/add-checkpoint`)).status).toBe(405);
    expect((await post('x'.repeat(65_537))).status).toBe(413);
    expect((await post('\u0000\uFFFD')).status).toBe(400);
    expect((await post('')).status).toBe(400);
  });
});
