/** Logs of a tool that another program started. */
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFiles } from '#agent/logs/files.ts';
import { readers } from '#core/readers/readers.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** The logs of a tool in a home folder, sorted, as on POSIX systems. */
function logsIn(folder: string, tool: string, env: Record<string, string> = {}): string[] {
  const found = readers
    .filter((reader) => reader.tool === tool)
    .flatMap((reader) => {
      return findLogFiles(reader, { HOME: folder, ...env }, { platform: 'linux' }).files;
    });
  return found.map((path) => relative(folder, path).replaceAll(sep, '/')).sort();
}

test('finds the transcripts of Claude Code in other programs', () => {
  const transcripts = [
    '.cc-mirror/glm/config/projects/p/s.jsonl',
    '.config/CherryStudio/.claude/projects/p/old.jsonl',
    '.config/CherryStudio/Data/Agents/.claude/projects/p/s.jsonl',
  ];
  const others = ['.cc-mirror/glm/s.jsonl', '.config/CherryStudio/logs/s.jsonl'];
  const folder = aFolder(Object.fromEntries([...transcripts, ...others].map((p) => [p, ''])));

  expect(logsIn(folder, 'claude-code')).toEqual(transcripts);
  expect(logsIn(folder, 'claude-code', { CLAUDE_CONFIG_DIR: join(folder, 'x') })).toEqual([]);
});

test('finds the rollouts of Codex in OpenClaw, which only Codex reads', () => {
  const agent = '.openclaw/agents/main/agent';
  const rollouts = [
    '.codex-coding-agent/sessions/2026/04/24/a.jsonl',
    `${agent}/cli-auth/codex/0a1b/sessions/2026/04/24/d.jsonl`,
    `${agent}/codex-home/archived_sessions/c.jsonl.zst`,
    `${agent}/codex-home/sessions/2026/04/24/b.jsonl`,
  ];
  const own = '.openclaw/agents/main/sessions/e.jsonl';
  const others = [own, `${agent}/codex-home/history.jsonl`];
  const folder = aFolder(Object.fromEntries([...rollouts, ...others].map((p) => [p, ''])));
  const moved = { OPENCLAW_STATE_DIR: join(folder, '.openclaw') };

  expect(logsIn(folder, 'codex')).toEqual(rollouts);
  expect(logsIn(folder, 'codex', moved)).toEqual(rollouts);
  expect(logsIn(folder, 'codex', { CODEX_HOME: join(folder, 'x') })).toEqual([]);
  expect(logsIn(folder, 'openclaw')).toEqual([own]);
});
