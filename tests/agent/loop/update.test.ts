import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { installedFile } from '#agent/state/copy.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { update } from '#agent/loop/update.ts';
import { stateFolder } from '#agent/settings.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const BOARD = 'https://board.test';

function aProgram(version: string, says = version): string {
  return `#!/usr/bin/env node\n// opbench ${version}\nconsole.log('${says}');\n`;
}

function sha512(text: string): string {
  return `sha512-${createHash('sha512').update(text).digest('base64')}`;
}

type Served = Readonly<Record<string, string | (() => Response)>>;

/** The release of a board with this program. */
function aRelease(program: string, over: { version?: string; url?: string } = {}): Served {
  const { version = '2.0.0', url = `${BOARD}/opbench.mjs` } = over;
  const release = { name: 'opbench', version, file: { url, integrity: sha512(program) } };
  return { '/opbench.json': JSON.stringify(release), '/opbench.mjs': program };
}

/** A device with a saved copy of version 1.2.3, and boards that serve these releases. */
function aMachine(
  boards: Readonly<Record<string, Served>>,
  kept: string | null = aProgram('1.2.3'),
) {
  const environment = { HOME: aFolder() };
  const file = installedFile(environment);
  if (kept !== null) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, kept, { mode: 0o700 });
  }
  const fetch = (url: string) => {
    const { origin, pathname } = new URL(url);
    const served = boards[origin]?.[pathname];
    if (boards[origin] === undefined) return Promise.reject(new TypeError('no route'));
    if (typeof served === 'function') return Promise.resolve(served());
    return Promise.resolve(new Response(served ?? '<html>', { status: served ? 200 : 404 }));
  };
  const device: LocalDevice = {
    environment,
    nowMs: () => NOW_MS,
    file,
    keystore: new Keystore(stateFolder(environment)),
    client: new Client(fetch, () => NOW_MS),
    wait: () => Promise.resolve(),
  };
  return { device, file, read: () => readFileSync(file, 'utf8') };
}

const CAREFUL = { allowOlder: false, tell: () => undefined };

describe('update', () => {
  test("replaces the copy with the board's version, once", async () => {
    const program = aProgram('2.0.0');
    const { device, file, read } = aMachine({ [BOARD]: aRelease(program) });

    const first = await update(device, [BOARD], CAREFUL);
    const second = await update(device, [BOARD], CAREFUL);

    const release = { board: BOARD, file, to: '2.0.0', integrity: sha512(program) };
    expect(first).toEqual({ ...release, from: '1.2.3', updated: true });
    expect(second).toEqual({ ...release, from: '2.0.0', updated: false });
    expect(read()).toBe(program);
    expectMode(file, 0o700);
    expect(readdirSync(dirname(file))).toEqual(['opbench.mjs']);
  });

  test('creates the copy if there is none', async () => {
    const { device, read } = aMachine({ [BOARD]: aRelease(aProgram('2.0.0')) }, null);

    expect(await update(device, [BOARD], CAREFUL)).toMatchObject({ from: null, updated: true });
    expect(read()).toBe(aProgram('2.0.0'));
  });

  test.each<[string, Served, number]>([
    ['HTML instead of the description', { '/opbench.json': '<html>' }, 4],
    ['a description of something else', { '/opbench.json': '{"name":"other"}' }, 4],
    ['no description', {}, 4],
    [
      'a program that differs from the description',
      { ...aRelease(aProgram('2.0.0')), '/opbench.mjs': aProgram('2.0.1') },
      3,
    ],
    [
      'other bytes that would run as well',
      { ...aRelease(aProgram('2.0.0')), '/opbench.mjs': `${aProgram('2.0.0')}//` },
      3,
    ],
    ['a truncated program', { ...aRelease(aProgram('2.0.0')), '/opbench.mjs': '#!/usr/bin' }, 3],
    ['no program', { '/opbench.json': aRelease('')['/opbench.json'] ?? '' }, 4],
    ['a connection that breaks', { ...aRelease(aProgram('2.0.0')), '/opbench.mjs': torn }, 4],
    ['a program of another version', aRelease(aProgram('2.0.0', '2.0.1')), 3],
    ['a program that does not run', aRelease('throw new Error()'), 3],
    ['a URL on another host', aRelease(aProgram('2.0.0'), { url: 'https://elsewhere.test/x' }), 3],
    ['an older version', aRelease(aProgram('1.2.2'), { version: '1.2.2' }), 1],
    ['an older version by number', aRelease(aProgram('1.1.10'), { version: '1.1.10' }), 1],
  ])('changes nothing if a board serves %s', async (_, served, exitCode) => {
    const { device, file, read } = aMachine({ [BOARD]: served });

    await expect(update(device, [BOARD], CAREFUL)).rejects.toMatchObject({
      name: 'Failure',
      exitCode,
    });
    expect(read()).toBe(aProgram('1.2.3'));
    expect(readdirSync(dirname(file))).toEqual(['opbench.mjs']);
  });

  test('installs an older version with --yes', async () => {
    const served = aRelease(aProgram('1.0.0'), { version: '1.0.0' });
    const { device, read } = aMachine({ [BOARD]: served });
    const output = anOutput();

    expect(await runCommand(device, 'update', ['--board', BOARD, '--yes'], output)).toBe(0);
    expect(output.results[0]).toMatch(/opbench 1\.0\.0 .*1\.2\.3/);
    expect(read()).toBe(aProgram('1.0.0'));
  });

  test('asks the next board if one does not respond', async () => {
    const { device } = aMachine({ [BOARD]: aRelease(aProgram('2.0.0')) });
    const told: string[] = [];
    const tell = ({ message }: Error) => void told.push(message);

    const dead = 'https://dead.test';
    const all = await update(device, [dead, BOARD], { allowOlder: false, tell });

    expect(all).toMatchObject({ board: BOARD, updated: true });
    expect(told).toEqual([expect.stringContaining(`${dead} cannot be reached`)]);
  });

  test.each([
    ['http://board.test', 1, 'is not encrypted'],
    ['https://dead.test', 4, 'cannot be reached'],
  ])('rejects %s', async (board, exitCode, message) => {
    const { device } = aMachine({});

    await expect(runCommand(device, 'update', ['--board', board], anOutput())).rejects.toThrow(
      expect.objectContaining({ exitCode, message: expect.stringContaining(message) }),
    );
  });

  test('says that there is no board', async () => {
    const { device } = aMachine({});

    await expect(runCommand(device, 'update', [], anOutput())).rejects.toMatchObject({
      exitCode: 2,
    });
  });
});

function torn(): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body);
}
