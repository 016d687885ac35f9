import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { clientNamed } from '#agent/mcp/clients.ts';
import { carryOut, planInstall } from '#agent/mcp/installation.ts';
import { installServer } from '#agent/mcp/install.ts';
import { anOutput } from '#tests/support/agent/agent.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const PROGRAM = '#!/usr/bin/env node\n// opbench 9.9.9\n';
const CLAUDE = '.claude.json';
const CODEX = join('.codex', 'config.toml');

/** A user's home with these files, and a built program somewhere else. */
function aHome(files: Readonly<Record<string, string>> = {}) {
  const home = aFolder(files);
  const file = join(aFolder({ 'opbench.mjs': PROGRAM }), 'opbench.mjs');
  const place = { environment: { HOME: home }, nowMs: Date.now, file };
  const copy = join(home, '.config', 'opbench', 'opbench.mjs');
  const read = (path: string) => readFileSync(join(home, path), 'utf8');
  const install = async (name?: string, options: { undo?: boolean; yes?: boolean } = {}) => {
    const output = anOutput();
    const given = { name, undo: false, yes: true, json: false, ...options };
    await installServer(place, given, output);
    return output.results.join('\n');
  };
  return { home, copy, place, read, install };
}

function claudeServers(text: string): Record<string, unknown> {
  return (JSON.parse(text) as { mcpServers: Record<string, unknown> }).mcpServers;
}

const CLAUDE_TEXTS: [string, string][] = [
  ['two spaces', '{\n  "a": 1,\n  "mcpServers": {\n    "x": { "command": "x" }\n  }\n}\n'],
  ['four spaces, no end', '{\n    "mcpServers": {\n        "x": {}\n    },\n    "b": [1, "}"]\n}'],
  ['tabs', '{\n\t"mcpServers": {\n\t\t"x": {}\n\t}\n}\n'],
  ['carriage returns', '{\r\n  "a": {},\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n'],
  ['one line', '{"a":"\\"{","mcpServers":{"x":{}}}'],
  ['no servers', '{\n  "a": "mcpServers"\n}\n'],
  ['an empty list', '{\n  "mcpServers": {},\n  "a": 1\n}\n'],
  ['an open empty list', '{\n  "mcpServers": {\n  }\n}\n'],
  ['nothing', '{}\n'],
  ['no text', ''],
  ['blank lines', ' \n\n'],
  ['the name elsewhere', '{"projects":{"p":{"mcpServers":{"opbench":{}}}},"opbench":1}'],
];

const CODEX_TEXTS: [string, string][] = [
  ['nothing', ''],
  ['comments and order', '# mine\nmodel = "m" # why\n\n[b]\nz = 1\na = 2\n'],
  ['no line end', '[mcp_servers.docs]\ncommand = "npx"\nargs = [\n  "[x",\n]\n# end'],
  ['carriage returns', 'a = 1\r\n[t]\r\nb = """\r\n[mcp_servers.opbench]\r\n"""\r\n'],
  ['dates and long numbers', 'd = 2026-01-01T00:00:00Z\nn = 9223372036854775807\n'],
];

describe('opbench mcp install', () => {
  test.each(CLAUDE_TEXTS)('adds to Claude Code and takes out again: %s', async (_, text) => {
    const { copy, read, install } = aHome({ [CLAUDE]: text });

    await install('claude-code');

    const before = JSON.parse(text.trim() || '{}') as { mcpServers?: object };
    const entry = { type: 'stdio', command: process.execPath, args: [copy, 'mcp'] };
    const env = claudeServers(read(CLAUDE))['opbench'];
    expect(env).toMatchObject(entry);
    expect(JSON.parse(read(CLAUDE))).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, opbench: env },
    });
    expect(read(CLAUDE).includes('\r')).toBe(text.includes('\r'));

    await install('claude-code', { undo: true });
    expect(read(CLAUDE)).toBe(text);
  });

  test.each(CODEX_TEXTS)('adds to Codex and takes out again: %s', async (_, text) => {
    const { copy, read, install } = aHome({ [CODEX]: text });

    await install('codex');

    expect(read(CODEX).startsWith(text)).toBe(true);
    expect(parse(read(CODEX), { integersAsBigInt: 'asNeeded' })).toMatchObject({
      mcp_servers: { opbench: { command: process.execPath, args: [copy, 'mcp'] } },
    });

    await install('codex', { undo: true });
    expect(read(CODEX)).toBe(text);
  });

  test('makes the files of clients that have none, private, and removes them again', async () => {
    const { home, copy, install } = aHome();
    mkdirSync(join(home, '.claude'));
    mkdirSync(join(home, '.codex'));

    await install();
    expect(statSync(join(home, CLAUDE)).mode & 0o777).toBe(0o600);
    expect(readFileSync(copy, 'utf8')).toBe(PROGRAM);

    await install(undefined, { undo: true });
    expect(readdirSync(home).sort()).toEqual(['.claude', '.codex', '.config']);
    expect(readdirSync(join(home, '.codex'))).toEqual([]);
  });

  test('goes where the variables of the clients point, and takes them into the entry', async () => {
    const [claude, codex] = [aFolder(), aFolder()];
    const { place, install } = aHome();
    Object.assign(place.environment, { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex });

    await install();

    const text = readFileSync(join(claude, CLAUDE), 'utf8');
    const env = { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex };
    expect(claudeServers(text)['opbench']).toMatchObject({ env });
    const toml = readFileSync(join(codex, 'config.toml'), 'utf8');
    expect(parse(toml)).toMatchObject({ mcp_servers: { opbench: { env } } });
  });

  test('changes nothing the second time', async () => {
    const { read, install } = aHome({ [CLAUDE]: '{}', [CODEX]: '' });
    await install();
    const texts = [read(CLAUDE), read(CODEX)];

    const shown = await install();

    expect([read(CLAUDE), read(CODEX)]).toEqual(texts);
    expect(shown).not.toContain('+++');
  });

  test('brings an older entry of ours up to date and keeps what was added to it', async () => {
    const { home, copy, read, install } = aHome({ [CODEX]: '' });
    const args = [copy, 'mcp'];
    const old = { type: 'stdio', command: '/old/node', args, timeout: 5 };
    writeFileSync(join(home, CLAUDE), JSON.stringify({ mcpServers: { opbench: old, x: {} } }));
    const own = `[mcp_servers.opbench]\ncommand = "/old/node"\nargs = ${JSON.stringify(args)}\n`;
    writeFileSync(join(home, CODEX), `${own}enabled = true\n\n[t]\na = 1\n`);

    await install();

    const command = process.execPath;
    expect(claudeServers(read(CLAUDE))).toMatchObject({ opbench: { ...old, command }, x: {} });
    expect(parse(read(CODEX))).toMatchObject({
      mcp_servers: { opbench: { command, args, enabled: true } },
      t: { a: 1 },
    });
    await install(undefined, { undo: true });
    expect(claudeServers(read(CLAUDE))).toEqual({ x: {} });
    expect(read(CODEX)).toBe('\n[t]\na = 1\n');
  });

  test('takes out what the client wrote anew, with all that stands in it', async () => {
    const { home, read, install } = aHome({
      [CLAUDE]: '{\n  "a": 1\n}\n',
      [CODEX]: '[a]\nb = 1\n',
    });
    await install();
    writeFileSync(join(home, CLAUDE), JSON.stringify(JSON.parse(read(CLAUDE)), null, 4));
    const more = '\n[mcp_servers.opbench.tools.scan]\napproval_mode = "auto"\n\n# of z\n[z]\n';
    writeFileSync(join(home, CODEX), read(CODEX).replace('"mcp"]', '"mcp" ]') + more);

    await install(undefined, { undo: true });

    expect(JSON.parse(read(CLAUDE))).toEqual({ a: 1, mcpServers: {} });
    expect(read(CODEX)).toBe('[a]\nb = 1\n\n# of z\n[z]\n');
  });

  test.each([
    [
      CLAUDE,
      'claude-code',
      '{"a":{"KEY":"hush"},"mcpServers":{"b":{},"opbench":{"command":"mine","args":[],"env":{"KEY":"hush"}},"c":{"KEY":"hush"}}}',
    ],
    [
      CODEX,
      'codex',
      '[mcp_servers.opbench]\ncommand = "mine"\n\n[mcp_servers.opbench.env]\nA = "hush"\n\n# hush\n[b]\nc = "hush"\n',
    ],
  ])(
    'an entry of somebody else in %s is told and left, replaced by --yes, and put back by --undo',
    async (path, name, text) => {
      const { copy, read, install, home } = aHome({ [path]: text });

      await expect(install(name, { yes: false })).rejects.toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(/did not write: mine$/),
        hint: '--yes replaces it, and --undo then puts it back.',
      });
      await expect(install(name, { undo: true })).rejects.toMatchObject({ exitCode: 1 });
      expect(read(path)).toBe(text);

      const shown = await install(name);
      expect(shown).toMatch(/^-.*mine/m);
      expect(shown).not.toContain('hush');
      expect(read(path)).not.toContain('mine');
      expect(read(path)).toContain(copy);
      const backup = join(home, '.config/opbench/backups', name);
      expect(readFileSync(backup, 'utf8')).toBe(text);

      await install(name, { undo: true });
      expect(read(path)).toBe(text);
      expect(existsSync(backup)).toBe(false);
    },
  );

  test('keeps the file as it was before the first change, until that is undone', async () => {
    const { home, copy, read, install } = aHome({ [CLAUDE]: '{"first":1}' });
    const backup = join(home, '.config/opbench/backups/claude-code');
    await install('claude-code');
    const text = read(CLAUDE).replace('"first":1', '"later":1');
    writeFileSync(join(home, CLAUDE), text.replace(process.execPath, '/old/node'));

    await install('claude-code');
    expect(readFileSync(backup, 'utf8')).toBe('{"first":1}');
    expect(read(CLAUDE)).toBe(text);

    await install('claude-code', { undo: true });
    expect(read(CLAUDE)).not.toContain(copy);
    expect(existsSync(backup)).toBe(false);

    await install('claude-code');
    expect(readFileSync(backup, 'utf8')).toContain('later');
    writeFileSync(join(home, CLAUDE), '{}');
    await install('claude-code', { undo: true });
    expect(existsSync(backup)).toBe(false);
  });

  test('leaves a file alone that is not in UTF-8', async () => {
    const { home, install } = aHome();
    const latin = Buffer.from('{"a":"\xe9"}', 'latin1');
    writeFileSync(join(home, CLAUDE), latin);

    await expect(install('claude-code')).rejects.toMatchObject({
      message: expect.stringContaining('is not in UTF-8'),
    });
    expect(readFileSync(join(home, CLAUDE))).toEqual(latin);
  });

  test('does not quote what it cannot understand', async () => {
    const { install } = aHome({ [CLAUDE]: '{"KEY": hush}' });

    await expect(install('claude-code')).rejects.toMatchObject({
      message: expect.not.stringContaining('hush'),
    });
  });

  test.each([
    [CLAUDE, 'claude-code', '{"mcpServers": {},}', 'cannot be understood'],
    [CLAUDE, 'claude-code', '// note\n{}', 'cannot be understood'],
    [CLAUDE, 'claude-code', '[]', 'cannot be understood'],
    [CLAUDE, 'claude-code', '{"mcpServers": []}', 'is no list of servers'],
    [CODEX, 'codex', 'a = \n', 'cannot be understood'],
    [CODEX, 'codex', '[a]\n[a]\n', 'cannot be understood'],
    [CODEX, 'codex', 'mcp_servers = {}\n', 'cannot change safely'],
    [CODEX, 'codex', 'mcp_servers = 1\n', 'is no list of servers'],
  ])('leaves %s alone that it cannot change: %s %j', async (path, name, text, message) => {
    const { read, install } = aHome({ [path]: text });

    await expect(install(name)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(message),
    });
    expect(read(path)).toBe(text);
  });

  test('keeps a link a link, and the mode of the file', async () => {
    const { home, read, install } = aHome({ 'dotfiles/claude.json': '{}' });
    const [file, link] = [join(home, 'dotfiles/claude.json'), join(home, CLAUDE)];
    chmodSync(file, 0o640);
    symlinkSync(file, link);

    await install('claude-code');

    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(claudeServers(read('dotfiles/claude.json'))).toHaveProperty('opbench');
    expect(readdirSync(join(home, 'dotfiles'))).toEqual(['claude.json']);
  });

  test('shows what changes and nothing of the rest, and asks somebody', async () => {
    const secret = '{"mcpServers":{"x":{"env":{"KEY":"hush"}}},"k":"hush"}';
    const { read, install } = aHome({ [CLAUDE]: secret, [CODEX]: 'key = "hush"' });

    await expect(install(undefined, { yes: false })).rejects.toMatchObject({
      message: 'Nobody is there to ask',
      hint: 'Run it with --yes.',
    });
    expect([read(CLAUDE), read(CODEX)]).toEqual([secret, 'key = "hush"']);

    const shown = await install();
    expect(shown).not.toContain('hush');
    expect(shown).toContain('+[mcp_servers.opbench]');
    expect(shown).toContain('+    "opbench": {');
    expect(
      shown.split('\n').filter((line) => line.length > 80 && !/^(---|\+{3}) /.test(line)),
    ).toEqual([]);
  });

  test('writes nothing over what somebody wrote since', () => {
    const { home, place, read } = aHome({ [CLAUDE]: '{}' });
    const plan = planInstall(clientNamed('claude-code'), place.environment);
    writeFileSync(join(home, CLAUDE), '{"new": 1}');

    expect(() => carryOut(place, plan)).toThrow('changed in the meantime');
    expect(read(CLAUDE)).toBe('{"new": 1}');
  });

  test('finds no client, and no program to point at', async () => {
    const { home, place, install } = aHome();
    await expect(install()).rejects.toMatchObject({ message: 'No client was found' });
    await expect(install('vim')).rejects.toMatchObject({ exitCode: 1 });

    writeFileSync(place.file, 'not built');
    await expect(install('codex')).rejects.toMatchObject({
      message: expect.stringContaining('not the built program'),
    });
    expect(existsSync(join(home, '.codex'))).toBe(false);
  });
});
