import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT, Failure } from '#agent/failure.ts';
import { commandFor } from '#agent/statusline/install.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const PROGRAM = '#!/usr/bin/env node\n// opbench 9.9.9\n';
const OTHER = { type: 'command', command: 'my-own-line' };

/** A home folder with these settings of Claude Code, and a built program in another folder. */
function aHome(settings?: object | string, more: Record<string, string> = {}) {
  const text = typeof settings === 'object' ? JSON.stringify(settings, null, 4) : settings;
  const files = text === undefined ? { '.claude/x': '' } : { '.claude/settings.json': text };
  const home = aFolder({ ...files, ...more });
  const environment = { HOME: home };
  const path = join(home, '.claude', 'settings.json');
  const copy = join(home, '.config', 'opbench', 'statusline.mjs');
  const run = async (word: string, ...args: string[]) => {
    const output = anOutput();
    const place = { environment, nowMs: Date.now, file: '' };
    vi.stubGlobal('OPBENCH_STATUSLINE', PROGRAM);
    onTestFinished(() => void vi.unstubAllGlobals());
    await runCommand(place, 'statusline', [word, ...args], output);
    return { shown: output.results.join('\n'), notes: output.notes.join('\n') };
  };
  const read = () => readFileSync(path, 'utf8');
  const line = () => (JSON.parse(read()) as { statusLine?: unknown }).statusLine;
  return { home, path, copy, run, text: read, line };
}

describe('commandFor()', () => {
  test('quotes paths for a POSIX shell', () => {
    expect(commandFor({ OPBENCH_HOME: "/it's here" }, 'linux')).toBe(
      String.raw`${process.execPath} '/it'\''s here/statusline.mjs'`,
    );
  });

  test('runs in any shell of Windows', () => {
    expect(commandFor({ OPBENCH_HOME: '/x y' }, 'win32')).toBe(
      `"${process.execPath}" "/x y/statusline.mjs"`,
    );
  });
});

function commandOf(home: string): string {
  return `${process.execPath} ${join(home, '.config', 'opbench', 'statusline.mjs')}`;
}

// Modes and links differ on Windows.
describe.skipIf(process.platform === 'win32')('opbench statusline install', () => {
  test('adds the saved copy to the settings, keeps everything else, and undoes it', async () => {
    const { home, path, copy, run, text, line } = aHome({ model: 'opus', hooks: { a: [1] } });
    const before = text();
    chmodSync(path, 0o640);

    const { shown, notes } = await run('install', '--yes');

    expect(line()).toEqual({ type: 'command', command: commandOf(home) });
    expect(JSON.parse(text())).toMatchObject({ model: 'opus', hooks: { a: [1] } });
    expect(text()).toMatch(/^\{\n {4}"model"/);
    expect(readFileSync(copy, 'utf8')).toBe(PROGRAM);
    expect(shown.split('\n')[0]).toBe(`Claude Code: ${path}`);
    expect(shown.split('\n')[1]).toBe(`  + "statusLine": ${JSON.stringify(line())}`);
    expect(notes).toContain('opbench statusline uninstall --tool claude-code');
    expect(statSync(path).mode & 0o777).toBe(0o640);

    await run('uninstall', '--yes');
    expect(text()).toBe(before);
    expect(existsSync(copy)).toBe(false);
  });

  test('shows the change and writes nothing with --dry-run', async () => {
    const { run, text, copy } = aHome({ a: 1, statusLine: OTHER });
    const before = text();

    const { shown } = await run('install', '--dry-run', '--force');

    expect(shown).toContain(`\n  - "statusLine": ${JSON.stringify(OTHER)}\n  + "statusLine": {`);
    expect([text(), existsSync(copy)]).toEqual([before, false]);
    await run('install', '--yes', '--force');
    const added = text();
    expect((await run('uninstall', '--dry-run')).shown).toContain(
      `+ "statusLine": ${JSON.stringify(OTHER)}`,
    );
    expect(text()).toBe(added);
  });

  test('keeps another status line without --force, and restores it', async () => {
    const { run, text, line } = aHome({ statusLine: OTHER });
    const before = text();

    const refused = run('install', '--yes');
    await expect(refused).rejects.toThrow(`already has a status line: ${JSON.stringify(OTHER)}`);
    await expect(refused).rejects.toMatchObject({ exitCode: EXIT.usage });
    expect(text()).toBe(before);

    await run('install', '--yes', '--force');
    await run('install', '--yes', '--force');
    expect(line()).not.toEqual(OTHER);
    expect((await run('uninstall', '--yes')).notes).toBe('Restored the earlier status line.');
    expect(text()).toBe(before);
  });

  test('changes nothing if it is there already, or if there is nothing to undo', async () => {
    const { run, text } = aHome({ statusLine: OTHER });
    expect((await run('uninstall', '--yes')).shown).toContain('has no status line from opbench');
    await run('install', '--yes', '--force');
    const before = text();

    const { shown } = await run('install', '--yes');

    expect(shown).toContain('the status line is already in');
    expect(text()).toBe(before);
  });

  test.each(['{', '[1]', '"x"', '{"a":1,}', '// comment\n{}'])(
    'refuses settings that are not a JSON object: %j',
    async (text) => {
      const home = aHome(text);

      const running = home.run('install', '--yes');

      await expect(running).rejects.toThrow(Failure);
      await expect(running).rejects.toThrow(`${home.path} is not valid JSON`);
      expect(home.text()).toBe(text);
      expect(existsSync(home.copy)).toBe(false);
    },
  );

  test('creates the settings if there are none', async () => {
    const { run, line, text } = aHome();

    await run('install', '--yes');
    expect(line()).toMatchObject({ type: 'command' });
    await run('uninstall', '--yes');
    expect(text()).toBe('{}\n');
  });

  test('follows a link to the settings', async () => {
    const { home, path, run, line } = aHome({});
    const real = join(home, 'dotfiles.json');
    writeFileSync(real, '{}');
    rmSync(path);
    symlinkSync(real, path);

    await run('install', '--yes');

    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(line()).toMatchObject({ type: 'command' });
  });

  test('adds it to Qwen Code, below its other settings', async () => {
    const settings = '{"ui":{"theme":"x"}}';
    const { home, run, copy } = aHome({}, { '.qwen/settings.json': settings });
    const read = () => readFileSync(join(home, '.qwen', 'settings.json'), 'utf8');

    expect(JSON.parse((await run('install', '--yes', '--json')).shown)).toEqual({
      files: [
        { tool: 'claude-code', file: join(home, '.claude', 'settings.json'), changed: true },
        { tool: 'qwen-code', file: join(home, '.qwen', 'settings.json'), changed: true },
      ],
    });
    expect(JSON.parse(read())).toEqual({
      ui: { theme: 'x', statusLine: { type: 'command', command: commandOf(home) } },
    });
    await run('uninstall', '--yes', '--tool', 'claude-code');
    expect(existsSync(copy)).toBe(true);
    await run('uninstall', '--yes');
    expect(JSON.parse(read())).toEqual(JSON.parse(settings));
    expect(existsSync(copy)).toBe(false);
  });

  test('says which assistants it knows', async () => {
    const { home, run } = aHome();

    await expect(run('install', '--tool', 'codex')).rejects.toThrow(
      'No status line for "codex". Use one of: claude-code, qwen-code',
    );
    rmSync(join(home, '.claude'), { recursive: true });
    await expect(run('install')).rejects.toThrow('No assistant with a status line was found');
    mkdirSync(join(home, '.claude'));
  });

  test('without a terminal, needs --yes', async () => {
    const { run, line } = aHome({});

    await expect(run('install')).rejects.toThrow('This needs a terminal to ask you');
    expect(line()).toBeUndefined();
  });

  test('a scan replaces a saved program of an older version only', async () => {
    const { home, copy, run } = aHome({});
    await run('install', '--yes');
    const scanned = async (saved: string) => {
      writeFileSync(copy, saved);
      vi.stubGlobal('OPBENCH_STATUSLINE', PROGRAM);
      const place = { environment: { HOME: home }, nowMs: Date.now, file: '' };
      await runCommand(place, 'scan', [], anOutput());
      return readFileSync(copy, 'utf8');
    };

    // From sources, the version is 0.0.0.
    expect(await scanned('#!/usr/bin/env node\n// opbench 0.0.0-1\n')).toBe(PROGRAM);
    const newer = '#!/usr/bin/env node\n// opbench 1.0.0\n';
    expect(await scanned(newer)).toBe(newer);
  });

  test('needs the built program', async () => {
    const { home, line } = aHome({});
    const place = { environment: { HOME: home }, nowMs: Date.now, file: '' };
    const running = runCommand(place, 'statusline', ['install', '--yes'], anOutput());

    await expect(running).rejects.toThrow('This is not the built program');
    expect(line()).toBeUndefined();
  });
});
