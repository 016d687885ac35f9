import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import type { MirrorReport } from '#server/mirror/report.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { HAS_SIGNALS, type Started, built, start } from '#tests/support/http/process.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { aStandBetween } from '#tests/support/http/stand-between.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { publishedLogKey } from '#tests/support/tlog/published-log-key.ts';
import { flip } from '#tests/support/tlog/lying-board.ts';

/** A running board where `ada` and `bob` submitted. Returns their cookies. */
async function aBoard() {
  const server = await startServer();
  const cookies: string[] = [];
  for (const name of ['ada', 'bob']) {
    const cookie = await server.signIn(name);
    const device = await enrollOverHttp(server, cookie);
    const payload = aLivePayload(server, bucketsOfDays(5, daysAgo(6)));
    await postSnapshot(server, await device.seal(payload));
    cookies.push(cookie);
  }
  return { server, cookies };
}

/** A new board has entries for its keys and rules, and three for each operator. */
const ENTRIES = 8;

/** Starts the built program. It is killed after the test. */
function startMirror(words: readonly string[]): Started {
  const env = { DATA_DIR: aDataDir() };
  const started = start(process.execPath, [built('opbench-board.mjs'), 'mirror', ...words], env);
  whenOver(() => void started.child.kill('SIGKILL'));
  return started;
}

function addressOf({ child, finished }: Started): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (text: string) => {
      said += text;
      const [, url] = /The mirror is at (\S+)\n/.exec(said) ?? [];
      if (url) resolve(url);
    });
    void finished.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
  });
}

const get = async (url: string) => {
  const { status, headers, ...response } = await bytesAt(url);
  return { ...response, status, cache: headers.get('cache-control') };
};

async function bytesAt(url: string) {
  const response = await fetch(url);
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()).toString('latin1') };
}

const sizeAt = async (url: string) => {
  const { status, bytes } = await get(`${url}/log/checkpoint`);
  return status === 200
    ? parseCheckpoint(parseNote(Buffer.from(bytes, 'latin1').toString()).text).size
    : 0;
};

/** Waits until the checkpoint at an address has that many entries. */
function untilSize(url: string, atLeast: number): Promise<number> {
  return eventually(
    () => sizeAt(url),
    (size) => size >= atLeast,
  );
}

function textOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((name) => name.isFile() && !name.name.endsWith('.lock'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

describe('opbench-board mirror', () => {
  test('serves the log of a running board, and forgets what the board erases', async () => {
    const { server, cookies } = await aBoard();
    const folder = join(aDataDir(), 'mirror');
    const mirror = startMirror([server.url, folder, '--port', '0', '--every', '1']);
    const url = await addressOf(mirror);
    const size = await untilSize(url, await untilSize(server.url, ENTRIES));

    for (const path of [
      'checkpoint',
      `tile/0/000.p/${size}`,
      'tile/entries/000.p/3',
      'payload/000',
    ]) {
      expect(await get(`${url}/log/${path}`)).toEqual(await get(`${server.url}/log/${path}`));
    }
    expect((await get(`${url}/log/tile/0/000`)).status).toBe(404);
    expect((await get(`${url}/log/../state.json`)).status).toBe(404);
    expect((await get(url)).bytes).toContain('No problems found.');

    const path = join(folder, 'log', 'tile', 'entries', '000');
    writeFileSync(path, flip(readFileSync(path)));
    expect((await get(`${url}/log/tile/entries/000.p/3`)).status).toBe(503);
    await eventually(
      () => get(`${url}/log/tile/entries/000.p/3`),
      ({ status }) => status === 200,
    );

    const headers = { Cookie: cookies[0] ?? '', 'Content-Type': 'application/json' };
    const [, operator = ''] = /"operator\\":\\"([0-9a-f-]{36})/.exec(textOf(folder)) ?? [];
    const body = JSON.stringify({ confirm: 'ada' });
    await fetch(`${server.url}/api/v1/account/delete`, { method: 'POST', headers, body });
    const text = await eventually(
      async () => textOf(folder),
      (found) => !found.includes(operator),
    );

    expect(operator).not.toBe('');
    expect(text.includes(operator)).toBe(false);
    const report = (await (await fetch(`${url}/report.json`)).json()) as MirrorReport;
    expect(report).toMatchObject({ sound: true, repaired: { last: 'log/tile/entries/000' } });
    mirror.child.kill('SIGTERM');
    if (HAS_SIGNALS) expect((await mirror.finished).status).toBe(0);
  });

  test('goes on after kill -9 at any request, and ends with a complete mirror', async () => {
    const { server } = await aBoard();
    const size = await untilSize(server.url, ENTRIES);
    const between = await aStandBetween();
    between.forwardTo(server.url);
    const folder = join(aDataDir(), 'mirror');
    for (let request = 1; request <= 7; request += 1) {
      const { child, finished } = startMirror([between.url, folder, '--once']);
      const last = between.asked.length + request;
      between.decide(() => {
        if (between.asked.length < last) return 'pass';
        child.kill('SIGKILL');
        return 'lose_request';
      });
      await finished;
    }
    between.decide(() => 'pass');

    const { status, stdout } = await startMirror([between.url, folder, '--once', '--json'])
      .finished;

    const report = JSON.parse(stdout) as MirrorReport;
    expect(report.checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect([status, report.sound]).toEqual([0, true]);
    expect(report.size).toBeGreaterThanOrEqual(size);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('accepts only the key that it is given, and pins it', async () => {
    const { server } = await aBoard();
    const other = await startServer();
    const [key, otherKey] = [await publishedLogKey(server.url), await publishedLogKey(other.url)];
    const [folder, wrong] = [join(aDataDir(), 'a'), join(aDataDir(), 'b')];

    const right = await runAdmin(['mirror', server.url, folder, '--once', '--key', key]);
    const refused = await runAdmin(['mirror', server.url, wrong, '--once', '--key', otherKey]);
    const changed = await runAdmin(['mirror', server.url, folder, '--once', '--key', otherKey]);
    const moved = await runAdmin(['mirror', other.url, folder, '--once']);

    expect(right).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('No problems found.'),
    });
    expect(refused.status).toBe(3);
    expect(refused.stdout).toContain('/log/checkpoint is of the log');
    expect([changed.status, changed.stderr]).toEqual([
      1,
      expect.stringContaining('another folder'),
    ]);
    expect(moved.status).toBe(3);
  });

  test('cannot mirror a board for members, and says what else it cannot do', async () => {
    const server = await startServer({ env: { READ: 'members' } });
    const folder = aDataDir();

    const members = await runAdmin(['mirror', server.url, join(folder, 'a'), '--once']);
    const gone = await runAdmin(['mirror', 'http://127.0.0.1:1', join(folder, 'b'), '--once']);
    const noUrl = await runAdmin(['mirror', 'bench', join(folder, 'c')]);
    mkdirSync(join(folder, 'd', 'log'), { recursive: true });
    writeFileSync(join(folder, 'd', 'log', 'checkpoint'), '');
    const noPin = await runAdmin(['mirror', server.url, join(folder, 'd'), '--once']);

    expect(members).toMatchObject({ status: 3, stdout: expect.stringContaining('Only members') });
    expect(gone).toMatchObject({ status: 3, stdout: expect.stringContaining('cannot be read') });
    expect(noUrl).toMatchObject({ status: 1, stderr: expect.stringContaining('needs the URL') });
    expect(noPin).toMatchObject({ status: 1, stderr: expect.stringContaining('--key') });
  });
});
