/** Devices that lost their state, were copied, or are enrolled twice: every response counts once. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Counts } from '#core/contract/counts.ts';
import { newCode } from '#tests/support/agent/installation.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import type { PreparedResponse } from '#tests/support/http/process.ts';
import { runOpbench } from '#tests/support/agent/opbench.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const MODEL = 'claude-opus-5';

interface Machine {
  home: string;
  run(...args: string[]): Promise<PreparedResponse>;
  /** Logs a response, now by default. */
  respond(id: string, input: number, output: number, at?: number): void;
}

/** A home folder on a device of that name, empty or a copy of another one. */
function aMachine(machine: string, copyOf?: Machine): Machine {
  const home = mkdtempSync(join(tmpdir(), 'opbench-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  if (copyOf) cpSync(copyOf.home, home, { recursive: true });
  const env = { HOME: home, OPBENCH_MACHINE: machine };
  return {
    home,
    run: (...args) => runOpbench(args, env),
    respond(id, input, output, at = Date.now()) {
      const path = join(home, '.claude', 'projects', 'p', `${id}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      const line = { id, at: at - Date.UTC(2026, 2, 2), input, output };
      writeFileSync(path, `${aClaudeLine({ ...line, cache_write: 0, cache_read: 0 })}\n`);
    },
  };
}

/** An account on a board. */
interface Place {
  server: RunningServer;
  cookie: string;
  /** Enrolls a device with a new code. */
  enroll(machine: Machine, ...flags: string[]): Promise<PreparedResponse>;
}

// The enrollment limit of one address makes two boards necessary.
const boards = [sharedServer(), sharedServer()] as const;

async function aPlace(codename: string, board = boards[0]): Promise<Place> {
  const server = await board();
  const cookie = await server.signIn(codename);
  return {
    server,
    cookie,
    async enroll(machine, ...flags) {
      const code = await newCode(server.url, cookie);
      return machine.run('enroll', code, '--board', server.url, ...flags);
    },
  };
}

/** Input and output that the board counts. */
async function countedAt({ server, cookie }: Place): Promise<[number, number]> {
  const response = await fetch(`${server.url}/api/v1/counts`, { headers: { Cookie: cookie } });
  const { entries } = (await response.json()) as Counts;
  const sumOf = (pillar: 'input' | 'output') => {
    return entries.reduce((sum, { counted }) => sum + counted[pillar], 0);
  };
  return [sumOf('input'), sumOf('output')];
}

describe('a device that lost its state', () => {
  test('is recognized, is not enrolled silently, and continues as the same device', async () => {
    const place = await aPlace('ada');
    const { enroll } = place;
    const machine = aMachine('one');
    machine.respond('a', 1000, 20_000, Date.now() - 5000);
    await enroll(machine, '--label', 'laptop');
    await machine.run('submit');
    rmSync(join(machine.home, '.config', 'opbench'), { recursive: true });
    machine.respond('b', 20, 400);

    const refused = await enroll(machine, '--label', 'new laptop');
    const idle = await machine.run('submit');
    const enrolled = await enroll(machine, '--replace', 'laptop', '--json');
    const submitted = await machine.run('submit');

    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toMatch(/"laptop".*--replace "laptop".*--new/);
    expect(idle.status).toBe(2);
    expect(enrolled).toMatchObject({ status: 0 });
    expect(JSON.parse(enrolled.stdout)).toMatchObject({
      replaced: { label: 'laptop' },
      new: false,
    });
    expect(submitted).toMatchObject({ status: 0 });
    expect(await countedAt(place)).toEqual([1020, 20_400]);
  });

  test('keeps counts that its logs no longer contain, and adds new ones', async () => {
    const place = await aPlace('bob');
    const { enroll } = place;
    const machine = aMachine('one');
    const at = Date.now() - 5000;
    machine.respond('a', 1000, 20_000, at);
    machine.respond('b', 300, 600, at - 1);
    const yesterday = at - 24 * 60 * 60 * 1000;
    machine.respond('c', 500, 5000, yesterday);
    await enroll(machine, '--label', 'laptop');
    await machine.run('submit');
    rmSync(join(machine.home, '.config', 'opbench'), { recursive: true });
    rmSync(join(machine.home, '.claude', 'projects', 'p', 'a.jsonl'));
    machine.respond('d', 20, 400);

    const enrolled = await enroll(machine, '--replace', 'laptop');
    const submitted = await machine.run('submit');

    expect(enrolled).toMatchObject({ status: 0 });
    expect(submitted.stderr).toContain('copied from the board');
    expect(await countedAt(place)).toEqual([1820, 26_000]);
  });
});

describe('a copied home folder', () => {
  test('sends nothing until it is enrolled, and the original keeps working', async () => {
    const place = await aPlace('cat');
    const { enroll } = place;
    const original = aMachine('one');
    original.respond('a', 1000, 20_000, Date.now() - 5000);
    await enroll(original, '--label', 'laptop');
    await original.run('submit');
    const copy = aMachine('two', original);
    original.respond('b', 20, 400);
    copy.respond('c', 3, 60);

    const sent = await original.run('submit');
    const refused = await copy.run('submit', '--json');
    const timed = await copy.run('auto', 'run');
    const status = await copy.run('status');
    const unasked = await enroll(copy, '--label', 'desktop');
    const enrolled = await enroll(copy, '--label', 'desktop', '--new', '--json');
    copy.respond('d', 5, 100);
    const both = [await copy.run('submit'), await original.run('submit')];
    const examined = [await copy.run('doctor'), await original.run('doctor')];

    expect(sent).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 daily count accepted'),
    });
    expect(refused.status).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      submissions: [],
      failures: [{ exit: 2, code: 'copied_installation' }],
    });
    expect(timed.status).toBe(2);
    expect(status.stderr).toContain('is a copy of');
    expect(unasked).toMatchObject({ status: 1 });
    expect(enrolled).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('stays with "laptop"'),
    });
    expect(JSON.parse(enrolled.stdout)).toMatchObject({ replaced: null, new: true });
    expect(both).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(examined).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(await countedAt(place)).toEqual([1028, 20_560]);
  });

  test('continues as the same device if the operator says that it is the same device', async () => {
    const place = await aPlace('dan');
    const { enroll } = place;
    const original = aMachine('one');
    original.respond('a', 1000, 20_000, Date.now() - 5000);
    await enroll(original);
    await original.run('submit');
    const reinstalled = aMachine('two', original);
    reinstalled.respond('b', 20, 400);

    const examined = await reinstalled.run('doctor');
    const logout = await aMachine('three', original).run('logout');
    const submitted = await reinstalled.run('submit', '--same-machine');
    const again = await reinstalled.run('submit');

    expect(examined).toMatchObject({ status: 2 });
    expect(examined.stdout.replaceAll(/\s+/g, ' ')).toContain('submit --same-machine');
    expect(logout.stderr).toContain('erased only here');
    expect([submitted, again]).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(await countedAt(place)).toEqual([1020, 20_400]);
  });
});

describe('days that two devices on the same computer count twice', () => {
  test('are found by doctor, and count once after the older device was replaced', async () => {
    const place = await aPlace('eve', boards[1]);
    const { server, cookie, enroll } = place;
    const machine = aMachine('one');
    const at = Date.now() - 5000;
    machine.respond('a', 1000, 20_000, at);
    await enroll(machine, '--label', 'laptop again');
    // Like an earlier version, which has no fingerprints.
    const earlier = await enrollOverHttp(server, cookie);
    const bucket = {
      day: new Date(at).toISOString().slice(0, 10),
      tool: 'claude-code',
      provider: 'anthropic',
      model: MODEL,
      ...{ input: 1000, output: 20_000, cache_write: 0, cache_read: 0 },
    };
    await postSnapshot(server, await earlier.seal(aLivePayload(server, [bucket])));
    machine.respond('b', 20, 400);
    await machine.run('submit');
    const doubled = await countedAt(place);

    const examined = await machine.run('doctor', '--json');
    const { devices } = (await (
      await fetch(`${server.url}/api/v1/devices`, { headers: { Cookie: cookie } })
    ).json()) as { devices: { id: string; label: string }[] };
    const old = devices.find(({ label }) => label !== 'laptop again');
    const repaired = await enroll(machine, '--replace', old?.id ?? '', '--label', 'laptop again');
    const submitted = await machine.run('submit');
    const after = await machine.run('doctor');

    expect(doubled).toEqual([2020, 40_400]);
    expect(examined.status).toBe(1);
    expect(examined.stdout).toMatch(/counted twice.*seems to be this machine/);
    expect(examined.stdout).toContain('--replace');
    expect(repaired).toMatchObject({ status: 0 });
    expect(submitted).toMatchObject({ status: 0 });
    expect(await countedAt(place)).toEqual([1020, 20_400]);
    expect(after).toMatchObject({ status: 0 });
  });
});
