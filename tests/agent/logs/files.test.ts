import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findLogFiles, logRoots } from '#agent/logs/files.ts';
import { aFolder } from '#tests/support/log-folder.ts';

function paths(tool: string, env: Record<string, string>, platform?: typeof process.platform) {
  return logRoots(tool, env, platform).map(({ path }) => path);
}

describe('logRoots()', () => {
  test('looks where Claude Code writes by itself, in both places', () => {
    expect(paths('claude-code', { HOME: '/h' }, 'linux')).toEqual([
      '/h/.claude/projects',
      '/h/.config/claude/projects',
    ]);
    expect(paths('claude-code', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'linux')).toEqual([
      '/h/.claude/projects',
      '/x/claude/projects',
    ]);
  });

  test('looks only where CLAUDE_CONFIG_DIR says, a list of either folder', () => {
    const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/a, /b/projects,,~/c' };

    expect(paths('claude-code', env, 'linux')).toEqual([
      '/a/projects',
      '/b/projects',
      '/h/c/projects',
    ]);
  });

  test('takes a configuration that is itself called projects for one', () => {
    const folder = aFolder({ 'projects/projects/p/s.jsonl': '' });

    expect(paths('claude-code', { CLAUDE_CONFIG_DIR: join(folder, 'projects') }, 'linux')).toEqual([
      join(folder, 'projects', 'projects'),
    ]);
  });

  test('takes an empty variable for none', () => {
    expect(
      paths('claude-code', { HOME: '/h', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '' }, 'linux'),
    ).toEqual(['/h/.claude/projects', '/h/.config/claude/projects']);
    expect(paths('codex', { HOME: '/h', CODEX_HOME: '' }, 'linux')).toEqual([
      '/h/.codex/sessions',
      '/h/.codex/archived_sessions',
    ]);
  });

  test('looks for Codex in CODEX_HOME, a list', () => {
    expect(paths('codex', { HOME: '/h', CODEX_HOME: '/a,/b' }, 'linux')).toEqual([
      '/a/sessions',
      '/a/archived_sessions',
      '/b/sessions',
      '/b/archived_sessions',
    ]);
  });

  test('knows the home of Windows', () => {
    const env = { HOME: '/h', USERPROFILE: '/u' };

    expect(paths('codex', env, 'win32')[0]).toBe('/u/.codex/sessions');
    expect(paths('codex', env, 'linux')[0]).toBe('/h/.codex/sessions');
    expect(paths('codex', { USERPROFILE: '/u' }, 'linux')[0]).toBe('/u/.codex/sessions');
  });

  test('looks nowhere without a home', () => {
    expect(paths('claude-code', {}, 'linux')).toEqual([]);
    expect(paths('claude-code', {}, 'darwin')).toEqual([]);
    expect(paths('claude-code', {}, 'win32')).toEqual([]);
    expect(paths('codex', {}, 'linux')).toEqual([]);
  });

  test('looks for Cowork beside Claude Code', () => {
    const local = aFolder({ 'Packages/Claude_abc/x': '', 'Packages/Other_abc/x': '' });
    const windows = { USERPROFILE: '/u', APPDATA: '/r', LOCALAPPDATA: local };

    expect(paths('claude-code', { HOME: '/h' }, 'darwin')).toContain(
      '/h/Library/Application Support/Claude/local-agent-mode-sessions',
    );
    expect(paths('claude-code', windows, 'win32').slice(2)).toEqual([
      '/r/Claude/local-agent-mode-sessions',
      join(local, 'Packages/Claude_abc/LocalCache/Roaming/Claude/local-agent-mode-sessions'),
    ]);
  });
});

describe('findLogFiles()', () => {
  function found(folder: string, tool = 'codex') {
    const env = { CODEX_HOME: folder, CLAUDE_CONFIG_DIR: folder };
    return findLogFiles(tool, env).files.map((path) => relative(folder, path));
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

  test('prefers a plain log to its packed copy', () => {
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

  test('takes only the transcripts of Cowork', () => {
    const sessions = 'Library/Application Support/Claude/local-agent-mode-sessions/u/w/local_1';
    const folder = aFolder({
      [`${sessions}/.claude/projects/p/s.jsonl`]: '',
      [`${sessions}/.claude/projects/p/audit.jsonl`]: '',
      [`${sessions}/audit.jsonl`]: '',
      [`${sessions}/outputs/data.jsonl`]: '',
    });

    expect(findLogFiles('claude-code', { HOME: folder }, 'darwin').files).toEqual([
      join(folder, sessions, '.claude/projects/p/s.jsonl'),
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

  test('looks into a folder once that has two names', () => {
    const folder = aFolder({ 'a/sessions/x.jsonl': '' });
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    const { roots, files } = findLogFiles('codex', { CODEX_HOME: `${folder}/a,${folder}/b` });

    expect(roots).toHaveLength(4);
    expect(files).toEqual([join(folder, 'a/sessions/x.jsonl')]);
  });

  test('tells what it cannot look into, but not what is not there', () => {
    const folder = aFolder({ sessions: 'a file' });

    expect(findLogFiles('codex', { CODEX_HOME: folder }).unreadable).toEqual([
      `${join(folder, 'sessions')}: ENOTDIR`,
    ]);
  });
});
