import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findLogFiles, kindOf, logRoots } from '#agent/logs/files.ts';
import { readers } from '#core/readers/readers.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** The reader of a tool. */
function readerOf(tool: string) {
  const reader = readers.find((each) => each.tool === tool);
  if (!reader) throw new Error(`There is no reader of ${tool}`);
  return reader;
}

/** A path as on POSIX systems. */
function slashed(path: string): string {
  return path.replaceAll(sep, '/');
}

function paths(tool: string, env: Record<string, string>, platform?: typeof process.platform) {
  return logRoots(readerOf(tool), env, platform).map(({ path }) => slashed(path));
}

describe('logRoots()', () => {
  test('searches both default folders of Claude Code, and those of other programs', () => {
    expect(paths('claude-code', { HOME: '/h' }, 'linux')).toEqual([
      '/h/.claude/projects',
      '/h/.config/claude/projects',
      '/h/.cc-mirror',
      '/h/.config/CherryStudio',
    ]);
    expect(paths('claude-code', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'linux')).toEqual([
      '/h/.claude/projects',
      '/x/claude/projects',
      '/h/.cc-mirror',
      '/x/CherryStudio',
    ]);
  });

  test('searches only the folders in CLAUDE_CONFIG_DIR', () => {
    const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/a, /b/projects,,~/c' };

    expect(paths('claude-code', env, 'linux')).toEqual([
      '/a/projects',
      '/b/projects',
      '/h/c/projects',
    ]);
  });

  test('accepts a configuration folder that is itself called projects', () => {
    const folder = aFolder({ 'projects/projects/p/s.jsonl': '' });

    expect(paths('claude-code', { CLAUDE_CONFIG_DIR: join(folder, 'projects') }, 'linux')).toEqual([
      slashed(join(folder, 'projects', 'projects')),
    ]);
  });

  test('ignores an empty variable', () => {
    expect(
      paths('claude-code', { HOME: '/h', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '' }, 'linux'),
    ).toEqual(paths('claude-code', { HOME: '/h' }, 'linux'));
    expect(paths('codex', { HOME: '/h', CODEX_HOME: '' }, 'linux').slice(0, 4)).toEqual([
      '/h/.codex/sessions',
      '/h/.codex/archived_sessions',
      '/h/.codex-coding-agent/sessions',
      '/h/.codex-coding-agent/archived_sessions',
    ]);
  });

  test('searches the list of folders in CODEX_HOME', () => {
    expect(paths('codex', { HOME: '/h', CODEX_HOME: '/a,/b' }, 'linux')).toEqual([
      '/a/sessions',
      '/a/archived_sessions',
      '/b/sessions',
      '/b/archived_sessions',
    ]);
  });

  test('knows the home folder on Windows', () => {
    const env = { HOME: '/h', USERPROFILE: '/u' };

    expect(paths('codex', env, 'win32')[0]).toBe('/u/.codex/sessions');
    expect(paths('codex', env, 'linux')[0]).toBe('/h/.codex/sessions');
    expect(paths('codex', { USERPROFILE: '/u' }, 'linux')[0]).toBe('/u/.codex/sessions');
  });

  test('searches nothing without a home folder', () => {
    expect(paths('claude-code', {}, 'linux')).toEqual([]);
    expect(paths('claude-code', {}, 'darwin')).toEqual([]);
    expect(paths('claude-code', {}, 'win32')).toEqual([]);
    expect(paths('codex', {}, 'linux')).toEqual([]);
  });

  test('searches for Cowork as well as Claude Code', () => {
    const windows = { USERPROFILE: '/u', APPDATA: '/r', LOCALAPPDATA: '/l' };

    expect(paths('claude-code', { HOME: '/h' }, 'darwin')).toContain(
      '/h/Library/Application Support/Claude/local-agent-mode-sessions',
    );
    expect(paths('claude-code', windows, 'win32').slice(-2)).toEqual([
      '/r/Claude/local-agent-mode-sessions',
      '/l/Packages',
    ]);
  });

  test('searches for Gemini CLI below its home folder, or in listed folders', () => {
    const folder = aFolder({ 'gemini/tmp/p/chats/session-a.jsonl': '' });
    const named = { HOME: '/h', GEMINI_DATA_DIR: `${join(folder, 'gemini')},/b` };

    expect(paths('gemini-cli', { HOME: '/h' }, 'darwin')).toEqual(['/h/.gemini/tmp']);
    expect(paths('gemini-cli', { HOME: '/h', USERPROFILE: '/u' }, 'win32')).toEqual([
      '/u/.gemini/tmp',
    ]);
    expect(paths('gemini-cli', { HOME: '/h', GEMINI_CLI_HOME: '/g' }, 'linux')).toEqual([
      '/g/.gemini/tmp',
    ]);
    expect(paths('gemini-cli', named, 'linux')).toEqual([
      slashed(join(folder, 'gemini/tmp')),
      '/b',
    ]);
  });

  test('searches for OpenCode in the data folder, on all systems', () => {
    const plain = ['/h/.local/share/opencode', '/h/.local/share/opencode/storage/message'];

    expect(paths('opencode', { HOME: '/h' }, 'linux')).toEqual(plain);
    expect(paths('opencode', { HOME: '/h' }, 'darwin')).toEqual(plain);
    expect(paths('opencode', { USERPROFILE: '/h', APPDATA: '/r' }, 'win32')).toEqual(plain);
    expect(paths('opencode', { HOME: '/h', XDG_DATA_HOME: '/x' }, 'linux')[0]).toBe('/x/opencode');
    expect(paths('opencode', { HOME: '/h', XDG_DATA_HOME: 'x' }, 'linux')).toEqual(plain);
    expect(paths('opencode', { HOME: '/h', OPENCODE_DATA_DIR: '/a,~/b' }, 'linux')).toEqual([
      '/a',
      '/a/storage/message',
      '/h/b',
      '/h/b/storage/message',
    ]);
  });

  test('searches for Copilot CLI in its own folder', () => {
    expect(paths('copilot-cli', { HOME: '/h' }, 'linux')).toEqual(['/h/.copilot']);
    expect(paths('copilot-cli', { HOME: '/h', COPILOT_HOME: '/c' }, 'linux')).toEqual(['/c']);
  });

  test('knows a root for every supported tool', () => {
    expect(readers.map(({ tool }) => paths(tool, { HOME: '/h' }, 'linux').length > 0)).toEqual(
      readers.map(() => true),
    );
  });
});

describe('kindOf()', () => {
  test.each([
    ['/a/b.jsonl', 'lines'],
    ['/a/b.jsonl.zst', 'packed'],
    ['/a/b.json', 'document'],
    ['/a/b.db', 'database'],
    ['/a/b.sqlite', 'database'],
  ])('%s: %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });
});

describe('findLogFiles()', () => {
  function found(folder: string, tool = 'codex') {
    const env = { CODEX_HOME: folder, CLAUDE_CONFIG_DIR: folder };
    return findLogFiles(readerOf(tool), env).files.map((path) => slashed(relative(folder, path)));
  }

  test('finds logs at any depth and nothing else', () => {
    const folder = aFolder({
      'projects/p/s.jsonl': '',
      'projects/p/s/subagents/deep/er/agent-a.jsonl': '',
      'projects/p/chat.json': '',
      'projects/p/audit.jsonl': '',
      'projects/p/x.jsonl.bak': '',
      'other/s.jsonl': '',
    });

    expect(found(folder, 'claude-code')).toEqual([
      'projects/p/audit.jsonl',
      'projects/p/s.jsonl',
      'projects/p/s/subagents/deep/er/agent-a.jsonl',
    ]);
  });

  test('prefers a plain log to its compressed copy', () => {
    const folder = aFolder({
      'sessions/a.jsonl': '',
      'sessions/a.jsonl.zst': '',
      'sessions/b.jsonl.zst': '',
      'archived_sessions/a.jsonl.zst': '',
    });

    expect(found(folder)).toEqual([
      'archived_sessions/a.jsonl.zst',
      'sessions/a.jsonl',
      'sessions/b.jsonl.zst',
    ]);
  });

  test('finds only the transcripts of Cowork', () => {
    const sessions = 'Library/Application Support/Claude/local-agent-mode-sessions/u/w/local_1';
    const folder = aFolder({
      [`${sessions}/.claude/projects/p/s.jsonl`]: '',
      [`${sessions}/.claude/projects/p/audit.jsonl`]: '',
      [`${sessions}/audit.jsonl`]: '',
      [`${sessions}/outputs/data.jsonl`]: '',
    });

    expect(
      findLogFiles(readerOf('claude-code'), { HOME: folder }, { platform: 'darwin' }).files,
    ).toEqual([join(folder, sessions, '.claude/projects/p/s.jsonl')]);
  });

  test('finds the transcripts of Cowork from the Microsoft Store', () => {
    const inside =
      'LocalCache/Roaming/Claude/local-agent-mode-sessions/u/.claude/projects/p/s.jsonl';
    const local = aFolder({
      [`Packages/Claude_abc/${inside}`]: '',
      [`Packages/Other_abc/${inside}`]: '',
      'Packages/Claude_abc/LocalCache/Roaming/Other/.claude/projects/p/s.jsonl': '',
    });
    const { files } = findLogFiles(
      readerOf('claude-code'),
      { LOCALAPPDATA: local },
      { platform: 'win32' },
    );

    expect(files).toEqual([join(local, 'Packages/Claude_abc', inside)]);
  });

  test('finds only the chats of Gemini CLI, and searches no other folders of a project', () => {
    const chats = ['session-a.json', 'session-b.jsonl', 's1/sub.jsonl'];
    const others = ['checkpoint.json', 's1/session-x.json', 's1/deep/x.jsonl', 'x.jsonl'];
    const folder = aFolder({
      ...Object.fromEntries(
        [...chats, ...others].map((name) => [`.gemini/tmp/p/chats/${name}`, '']),
      ),
      '.gemini/tmp/p/logs/chats/session-z.jsonl': '',
      '.gemini/tmp/logs.json': '',
    });
    const { files } = findLogFiles(readerOf('gemini-cli'), { HOME: folder }, { platform: 'linux' });

    const chatFolder = join(folder, '.gemini/tmp/p/chats');
    expect(files.map((path) => slashed(relative(chatFolder, path)))).toEqual([...chats].sort());
  });

  test("finds OpenCode's databases of all channels, its messages and a named database", () => {
    const folder = aFolder({
      'opencode.db': '',
      'opencode.db-wal': '',
      'opencode-dev.db': '',
      'other.db': '',
      'bin/opencode.db': '',
      'storage/message/ses_1/msg_1.json': '',
      'storage/part/msg_1/prt_1.json': '',
      'storage/session/ses_1.json': '',
    });
    const found = (more: object) => {
      const { roots, files } = findLogFiles(readerOf('opencode'), {
        OPENCODE_DATA_DIR: folder,
        ...more,
      });
      return { roots: roots.length, files: files.map((path) => slashed(relative(folder, path))) };
    };
    const files = ['opencode-dev.db', 'opencode.db', 'storage/message/ses_1/msg_1.json'];

    expect(found({})).toEqual({ roots: 2, files });
    expect(found({ OPENCODE_DB: ':memory:' })).toEqual({ roots: 2, files });
    expect(found({ OPENCODE_DB: 'other.db' }).files).toContain('other.db');
    expect(found({ OPENCODE_DB: join(folder, 'bin/opencode.db') })).toEqual({
      roots: 3,
      files: ['bin/opencode.db', ...files],
    });
  });

  test('finds only the session events of Copilot CLI', () => {
    const folder = aFolder({
      'session-state/s1/events.jsonl': '',
      'session-state/s1/files/notes.jsonl': '',
      'session-state/s1/other.jsonl': '',
      'session-state/s2.jsonl': '',
      'otel/a.jsonl': '',
    });
    const { files } = findLogFiles(readerOf('copilot-cli'), { COPILOT_HOME: folder });

    expect(files.map((path) => slashed(relative(folder, path)))).toEqual([
      'session-state/s1/events.jsonl',
      'session-state/s2.jsonl',
    ]);
  });

  test('follows links to logs and linked roots, but no linked folders and no broken links', () => {
    const elsewhere = aFolder({ 'sessions/x.jsonl': '', 'y.jsonl': '' });
    const folder = aFolder();
    symlinkSync(join(elsewhere, 'sessions'), join(folder, 'sessions'));
    mkdirSync(join(folder, 'archived_sessions'));
    symlinkSync(elsewhere, join(folder, 'archived_sessions', 'linked'));
    symlinkSync(join(elsewhere, 'y.jsonl'), join(folder, 'archived_sessions', 'y.jsonl'));
    symlinkSync('/nowhere', join(folder, 'archived_sessions', 'broken.jsonl'));
    symlinkSync('loop.jsonl', join(folder, 'archived_sessions', 'loop.jsonl'));

    expect(found(folder)).toEqual(['archived_sessions/y.jsonl', 'sessions/x.jsonl']);
  });

  test('searches a folder with two names once', () => {
    const folder = aFolder({ 'a/sessions/x.jsonl': '' });
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    const { roots, files } = findLogFiles(readerOf('codex'), {
      CODEX_HOME: `${folder}/a,${folder}/b`,
    });

    expect(roots).toHaveLength(4);
    expect(files).toEqual([join(folder, 'a/sessions/x.jsonl')]);
  });

  test('reports unreadable folders, but not missing ones', () => {
    const folder = aFolder({ sessions: 'a file' });

    expect(findLogFiles(readerOf('codex'), { CODEX_HOME: folder }).unreadable).toEqual([
      `${join(folder, 'sessions')}: ENOTDIR`,
    ]);
  });
});
