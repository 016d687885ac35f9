import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const PROGRAM = '#!/usr/bin/env node\n// opbench 9.9.9\n';

/**
 * Replacements for the clients' programs. Each stores the entry in a file like its client, and one line about
 * each call.
 */
const CLIENT = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const isCodex = basename(process.argv[1]) === 'codex';
const file = process.env.HOME + (isCodex ? '/.codex/entry.json' : '/.claude.json');
const words = process.argv.slice(2);
appendFileSync(process.env.HOME + '/calls', JSON.stringify([basename(process.argv[1]), ...words]) + '\\n');
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
all.mcpServers ??= {};
const fail = (text) => { console.error(text); process.exit(1); };
if (words[1] === 'get') {
  if (!all.mcpServers.opbench) fail('No MCP server named opbench');
  console.log(JSON.stringify({ name: 'opbench', transport: { type: 'stdio', ...all.mcpServers.opbench } }));
} else if (words[1] === 'remove') {
  if (!all.mcpServers.opbench) fail('there is none');
  delete all.mcpServers.opbench;
} else {
  if (all.mcpServers.opbench) fail('it exists already');
  const [command, ...args] = words.slice(words.indexOf('--') + 1);
  const pairs = words.flatMap((word, at) => (words[at - 1] === '--env' ? [word.split(/=(.*)/s)] : []));
  all.mcpServers.opbench = { command, args, env: Object.fromEntries(pairs) };
}
writeFileSync(file, JSON.stringify(all));
`;

/** A home folder with these files and clients' programs, and a built program in another folder. */
function aHome(files: Readonly<Record<string, string>> = {}, programs = ['claude', 'codex']) {
  const home = aFolder({ '.claude/x': '', '.codex/x': '', ...files });
  const bin = aFolder();
  for (const name of programs) {
    writeFileSync(join(bin, name), CLIENT);
    chmodSync(join(bin, name), 0o755);
  }
  const file = join(aFolder({ 'opbench.mjs': PROGRAM }), 'opbench.mjs');
  const device = aDeviceOf(testContext());
  const environment: Record<string, string> = { HOME: home, PATH: bin };
  const copy = join(home, '.config', 'opbench', 'opbench.mjs');
  const run = async (...words: string[]) => {
    const output = anOutput();
    await runCommand({ ...device, environment, file }, 'mcp', ['install', ...words], output);
    return { shown: output.results.join('\n'), notes: output.notes.join('\n') };
  };
  const calls = () => {
    const path = join(home, 'calls');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as string[]).filter(([, , verb]) => verb !== 'get');
  };
  const claude = () => JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')) as unknown;
  return { home, copy, environment, file, run, calls, claude };
}

describe.skipIf(process.platform === 'win32')('opbench mcp install', () => {
  test("adds the entry with the clients' own programs, and removes it", async () => {
    const { home, copy, run, calls, claude } = aHome({ '.claude.json': '{"a":1}' });

    const { shown, notes } = await run('--yes');

    const started = ['--', process.execPath, copy, 'mcp'];
    const variable = ['--env', `HOME=${home}`];
    expect(calls()).toEqual([
      ['claude', 'mcp', 'add', ...variable, '--scope', 'user', 'opbench', ...started],
      ['codex', 'mcp', 'add', 'opbench', ...variable, ...started],
    ]);
    expect(shown).toContain(`Claude Code: claude mcp add --env HOME=${home} --scope user opbench`);
    expect(notes).toContain('Restart Codex');
    expect(readFileSync(copy, 'utf8')).toBe(PROGRAM);

    await run('--undo', '--yes');
    expect(calls().slice(2)).toEqual([
      ['claude', 'mcp', 'remove', '--scope', 'user', 'opbench'],
      ['codex', 'mcp', 'remove', 'opbench'],
    ]);
    expect(claude()).toEqual({ a: 1, mcpServers: {} });
  });

  test('prints what it did as JSON, and does nothing the second time', async () => {
    const { home, run, calls } = aHome();
    const report = async (...words: string[]) => JSON.parse((await run(...words, '--json')).shown);
    const files = [join(home, '.claude.json'), join(home, '.codex', 'config.toml')];
    const clients = (changed: boolean) => ({
      clients: [
        { client: 'claude-code', file: files[0], changed, backup: null },
        { client: 'codex', file: files[1], changed, backup: null },
      ],
    });

    expect(await report('--yes')).toEqual(clients(true));
    expect(await report()).toEqual(clients(false));
    expect(calls()).toHaveLength(2);
    expect(await report('--undo', '--yes')).toEqual(clients(true));
    expect(await report('--undo')).toEqual(clients(false));
  });

  test("prints the entry and its file if the client's program is not installed", async () => {
    const { home, copy, environment, run } = aHome({}, []);
    environment['CODEX_HOME'] = join(home, '.codex');

    const { shown } = await run();

    expect(shown).toContain(`is not on the PATH. Add this to ${join(home, '.claude.json')}:\n{\n`);
    expect(shown).toContain(`Add this to ${join(home, '.codex', 'config.toml')}:\n[mcp_servers.op`);
    expect(shown).toContain(`args = ["${copy}", "mcp"]`);
    expect(shown).toContain(`env = { CODEX_HOME = "${join(home, '.codex')}", HOME = "${home}" }`);
    expect(existsSync(copy)).toBe(true);
    const undone = (await run('--undo')).shown;
    expect(undone).toContain(`If ${join(home, '.codex', 'config.toml')} has an entry`);
  });

  test('replaces an outdated entry of ours', async () => {
    const { home, copy, run, calls } = aHome();
    const old = { command: '/old/node', args: [copy, 'mcp'] };
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { opbench: old } }));

    await run('claude-code', '--yes');

    expect(calls().map(([, , verb]) => verb)).toEqual(['remove', 'add']);
  });

  test('replaces a foreign entry only with --yes, and never removes it', async () => {
    const mine = '{"mcpServers":{"opbench":{"command":"mine","args":["x"],"env":{"K":"hush"}}}}';
    const { copy, run, claude } = aHome({ '.claude.json': mine });

    for (const words of [[], ['--undo', '--yes']]) {
      await expect(run('claude-code', ...words)).rejects.toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(/not from this command: mine x$/),
      });
    }
    expect(claude()).toEqual(JSON.parse(mine));

    await run('claude-code', '--yes');
    expect(claude()).toMatchObject({ mcpServers: { opbench: { args: [copy, 'mcp'] } } });
  });

  test('asks first', async () => {
    const { run, calls, copy } = aHome();
    const refusal = { exitCode: 1, hint: expect.stringContaining('--yes') as string };
    await expect(run()).rejects.toMatchObject(refusal);
    expect(calls()).toEqual([]);
    expect(existsSync(copy)).toBe(false);
  });

  test("says why a client's program failed", async () => {
    const { home, run } = aHome({}, ['codex']);
    writeFileSync(join(home, '.codex', 'entry.json'), 'damaged');

    await expect(run('codex', '--yes')).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^codex mcp add failed: .*SyntaxError/),
      hint: expect.stringContaining(join(home, '.codex', 'config.toml')),
    });
  });

  test('deletes the backups of earlier versions with --undo', async () => {
    const { home, run } = aHome();
    const state = join(home, '.config', 'opbench');
    mkdirSync(join(state, 'backups'), { recursive: true });
    const kept = [join(state, 'mcp.json'), join(state, 'backups', 'codex')];
    for (const path of kept) writeFileSync(path, '{}');

    await run('codex', '--undo');

    expect(kept.map((path) => existsSync(path))).toEqual([false, false]);
  });

  test('fails without a client, and without a built program', async () => {
    const { environment, file, run } = aHome();
    const home = environment['HOME'];
    environment['HOME'] = aFolder();
    await expect(run()).rejects.toMatchObject({ message: 'No MCP client was found' });
    await expect(run('vim')).rejects.toMatchObject({ exitCode: 1 });

    environment['HOME'] = home ?? '';
    writeFileSync(file, 'not built');
    await expect(run('codex', '--yes')).rejects.toMatchObject({
      message: expect.stringContaining('not the built program'),
    });
  });
});
