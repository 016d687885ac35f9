/** The installation scripts, run by a real shell against a server with a small program. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Released, releaseOf } from '#server/cli-release/release.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { start } from '#tests/support/http/process.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const IS_WINDOWS = process.platform === 'win32';

/** Prints its arguments and what the launcher sets. */
const programOf = (version: string) => `#!/usr/bin/env node
// opbench ${version}
const board = "@OPBENCH_BOARD@";
const [word, ...words] = process.argv.slice(2);
if (word === '--version') console.log('${version}');
else console.log([board, process.env.OPBENCH_ON_PATH, word, ...words].join('|'));
`;

const templateOf = (name: string) =>
  readFileSync(join(ROOT, 'src/server/cli-release', name), 'utf8');

/** What the board serves. A test may change it. */
const served: { program: Uint8Array } = { program: Buffer.alloc(0) };
let server: Server;
let url = '';
let released: Released;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/opbench.mjs') response.end(served.program);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  released = await releaseOf(
    {
      program: programOf('1.2.3'),
      license: '',
      installers: { sh: templateOf('install.sh'), ps1: templateOf('install.ps1') },
    },
    url,
  );
});
afterAll(() => void server.close());

interface Setup {
  script?: string;
  words?: string[];
  env?: Record<string, string>;
  /** The only programs on the PATH. Default: those of the system, and this Node.js. */
  path?: string;
}

/** A user whose home folder has spaces and a quote, without opbench. */
function aUser() {
  const home = join(aFolder(), `Ada L "x"`);
  mkdirSync(home);
  const bin = join(home, '.local/bin');
  const state = join(home, '.config/opbench');
  const command = join(bin, 'opbench');
  served.program = released.program;
  const system = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const install = ({ script = released.installers.sh, words = [], env = {}, path }: Setup = {}) => {
    const file = join(aFolder(), 'install.sh');
    writeFileSync(file, script);
    const all = { HOME: home, PATH: path ?? `${bin}${delimiter}${system}`, ...env };
    // As from a pipe: the shell reads the script from its input.
    return start('/bin/sh', ['-c', `cat '${file}' | /bin/sh -s -- "$@"`, 'sh', ...words], all)
      .finished;
  };
  const run = (...words: string[]) =>
    spawnSync(command, words, { env: { HOME: home, PATH: system }, encoding: 'utf8' }).stdout;
  return { home, bin, state, command, install, run, program: join(state, 'opbench.mjs') };
}

/** A folder with some programs of this system, and with others that are given as scripts. */
function aPath(programs: readonly string[], scripts: Readonly<Record<string, string>> = {}) {
  const folder = aFolder();
  for (const name of programs) {
    const found = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((p) => existsSync(p));
    const target = name === 'node' ? process.execPath : found;
    if (target) symlinkSync(target, join(folder, name));
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const TOOLS = ['cat', 'chmod', 'grep', 'mkdir', 'mktemp', 'mv', 'rm', 'uname'];

/** Everything below a folder. */
const filesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

describe.skipIf(IS_WINDOWS)('install.sh', () => {
  test('installs the program and a command that runs it', async () => {
    const { install, run, program, home, bin, state } = aUser();

    const ended = await install();

    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toContain(`${url}/settings, then run:\n  opbench enroll CODE\n`);
    expect(readFileSync(program)).toEqual(released.program);
    expect(run('a  b', "c'd")).toBe(`${url}|yes|a  b|c'd\n`);
    expect(filesIn(home).length).toBe(filesIn(bin).length + filesIn(state).length + 4);
    expect([filesIn(bin), filesIn(state)]).toEqual([['opbench'], ['opbench.mjs']]);
  });

  test('runs opbench with the words that follow', async () => {
    const { install } = aUser();

    const { stdout } = await install({ words: ['enroll', '7K3QX 9M2RT'] });

    expect(stdout).toMatch(/yes\|enroll\|7K3QX 9M2RT\n$/);
  });

  test('replaces an older program, and keeps a newer one', async () => {
    const { install, program, state } = aUser();
    mkdirSync(state, { recursive: true });
    for (const [kept, isReplaced] of [
      ['1.2.2', true],
      ['1.2.3-rc.1', true],
      ['1.2.3', true],
      ['1.10.0', false],
    ] as const) {
      writeFileSync(program, programOf(kept));
      const { status } = await install();
      expect([status, kept, readFileSync(program).equals(released.program)]).toEqual([
        0,
        kept,
        isReplaced,
      ]);
    }
  });

  test('uses the folders that the environment names', async () => {
    const { install, home } = aUser();
    const [bin, state] = [join(home, 'b n'), join(home, 'state')];

    await install({ env: { OPBENCH_BIN: bin, OPBENCH_HOME: state } });

    expect(filesIn(home).sort()).toEqual(
      ['b n', 'b n/opbench', 'state', 'state/opbench.mjs'].sort(),
    );
  });

  test.each([
    ['/bin/zsh', '~/.zshrc'],
    ['/usr/bin/fish', 'fish_add_path'],
    ['/bin/bash', '~/.bashrc'],
    ['', '~/.profile'],
  ])('says how to add the folder to the PATH of %s', async (SHELL, text) => {
    const { install, command } = aUser();

    const { stdout } = await install({ path: aPath([...TOOLS, 'node', 'curl']), env: { SHELL } });

    expect(stdout).toContain('is not on your PATH');
    expect(stdout).toContain(text);
    expect(stdout).toContain(`  '${command}' enroll CODE`);
  });

  test.each(['curl', 'wget'])('downloads with %s', async (tool) => {
    const { install, run } = aUser();
    const isThere = spawnSync(tool, ['--version']).error === undefined;

    const ended = await install({ path: aPath([...TOOLS, 'node', tool]) });

    if (!isThere) return expect(ended.stderr).toContain('there is no curl and no wget');
    expect(ended).toMatchObject({ status: 0 });
    expect(run('x')).toContain('yes|x');
  });

  test.each([
    ['the digest is wrong', { script: 'digest' }, 'wrong SHA-256 digest'],
    ['the download ends early', { body: 'cut' }, 'wrong SHA-256 digest'],
    ['the board cannot be reached', { script: 'port' }, 'could not be downloaded'],
    ['the program does not start', { body: 'broken' }, 'does not start'],
    ['there is no Node.js', { path: aPath }, 'it needs Node.js 20 or later; found: none'],
    ['Node.js is too old', { old: '18.20.4' }, 'found: 18.20.4'],
    ['HOME is not set', { env: { HOME: '' } }, 'HOME is not set'],
  ])('changes nothing if %s', async (_, how: Broken, message) => {
    const { install, home } = aUser();
    const before = filesIn(home);

    const ended = await install(await broken(how));

    expect(ended.status).not.toBe(0);
    expect(ended.stderr).toContain(`opbench was not installed: `);
    expect(ended.stderr).toContain(message);
    expect(filesIn(home).filter((name) => name.includes('opbench.mjs'))).toEqual(before);
    expect(filesIn(home).filter((name) => /install\.|bin\/./.test(name))).toEqual(before);
  });

  test('keeps the installed version if the new one cannot be downloaded', async () => {
    const { install, run } = aUser();
    await install();

    expect((await install(await broken({ script: 'port' }))).status).not.toBe(0);
    expect(run('x')).toContain('yes|x');
  });

  test('explains how to get Node.js', async () => {
    const { install } = aUser();

    const { stderr } = await install({ path: aPath([...TOOLS, 'curl']) });

    expect(stderr).toContain('https://nodejs.org/en/download');
    expect(stderr).toContain('Then run this command again.');
  });

  test('does not replace a command of another origin', async () => {
    const { install, bin, command, state } = aUser();
    mkdirSync(bin, { recursive: true });
    writeFileSync(command, 'mine');

    const { status, stderr } = await install();

    expect([status, readFileSync(command, 'utf8'), filesIn(state)]).toEqual([1, 'mine', []]);
    expect(stderr).toContain('OPBENCH_BIN');
  });

  test('does nothing if the script itself is cut off', async () => {
    const { install, home } = aUser();
    const { sh } = released.installers;
    const ends = [0.2, 0.5, 0.8, 0.99].map((part) => Math.floor(sh.length * part));

    for (const end of ends) await install({ script: sh.slice(0, end) });

    expect(filesIn(home)).toEqual([]);
  });
});

interface Broken {
  script?: string;
  body?: string;
  path?: typeof aPath;
  old?: string;
  env?: Record<string, string>;
}

async function broken({ script, body, path, old, env = {} }: Broken): Promise<Setup> {
  const { sh } = released.installers;
  if (body === 'cut') served.program = released.program.subarray(0, 40);
  if (body === 'broken') {
    const built = { program: programOf('1.2.3').replace('const board', 'throw 1; const board') };
    const other = await releaseOf(
      { ...built, license: '', installers: { sh: templateOf('install.sh'), ps1: '' } },
      url,
    );
    served.program = other.program;
    return { script: other.installers.sh };
  }
  return {
    ...(script === 'digest' && { script: sh.replace(/sha256='..../, "sha256='0000") }),
    ...(script === 'port' && { script: sh.replaceAll(url, 'http://127.0.0.1:1') }),
    ...(path && { path: path([...TOOLS, 'curl']) }),
    ...(old && { path: aPath([...TOOLS, 'curl'], { node: `echo ${old}` }) }),
    env,
  };
}

const POWERSHELL = IS_WINDOWS ? 'powershell' : 'pwsh';
const HAS_POWERSHELL = IS_WINDOWS || spawnSync(POWERSHELL, ['-Version']).error === undefined;

describe.runIf(HAS_POWERSHELL)('install.ps1', () => {
  const powershell = (command: string, env: Record<string, string> = {}) =>
    start(POWERSHELL, ['-NoProfile', '-NonInteractive', '-Command', command], {
      ...(process.env as Record<string, string>),
      ...env,
    }).finished;

  /** The script in a file, and its environment. */
  function aScript(text = released.installers.ps1) {
    served.program = released.program;
    const home = join(aFolder(), 'Ada L');
    const [bin, state] = [join(home, 'bin'), join(home, 'state')];
    const file = join(aFolder({ 'install.ps1': text }), 'install.ps1');
    const env = { OPBENCH_BIN: bin, OPBENCH_HOME: state, LOCALAPPDATA: home };
    const run = () => powershell(`Get-Content -Raw '${file}' | Invoke-Expression`, env);
    return { home, bin, state, file, env, run };
  }

  test('has no syntax errors', async () => {
    const { file } = aScript();
    const parse = `$errors = $null
[void][Management.Automation.Language.Parser]::ParseFile('${file}', [ref]$null, [ref]$errors)
$errors | ForEach-Object { $_.ToString() }; exit $errors.Count`;

    expect(await powershell(parse)).toMatchObject({ status: 0, stdout: '' });
  });

  test.runIf(IS_WINDOWS)('installs the program and a command that runs it', async () => {
    const { bin, state, env, run } = aScript();

    const ended = await run();

    expect(ended).toMatchObject({ status: 0, stdout: expect.stringContaining('opbench enroll') });
    expect(readFileSync(join(state, 'opbench.mjs'))).toEqual(released.program);
    const command = join(bin, 'opbench.cmd');
    const ran = await powershell(`& '${command}' a 'b c'`, env);
    expect(ran.stdout.trim()).toBe(`${url}|yes|a|b c`);
  });

  test.runIf(IS_WINDOWS)('changes nothing if the digest is wrong', async () => {
    const { bin, state, run } = aScript(
      released.installers.ps1.replace(/sha256 = '..../, "sha256 = '0000"),
    );

    const { status, stderr } = await run();

    expect(status).not.toBe(0);
    expect(stderr).toContain('wrong SHA-256 digest');
    expect([...filesIn(bin), ...filesIn(state)]).toEqual([]);
  });
});
