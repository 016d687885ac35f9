import { describe, expect, test } from 'vitest';
import { countProjects, distinctNames } from '#agent/logs/projects.ts';
import { scanLogs } from '#agent/logs/scan.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A Claude Code transcript of a folder: a response of ten tokens on each of these days after 2026-03-02. */
function aTranscript(cwd: string, id: string, ...days: number[]): string {
  const lines = days.map((day) => {
    return aClaudeLine({ id: `${id}-${day}`, at: day * DAY_MS, over: { cwd } });
  });
  return `{"type":"summary"}\n${lines.join('\n')}\n`;
}

async function projectsIn(logs: Record<string, string>, since: string | null = null) {
  const env = { HOME: aFolder(logs) };
  const scanned = await scanLogs(env);
  const { projects, unnamed } = await countProjects(env, scanned.logs, since);
  return {
    unnamed,
    projects: projects.map(({ name, counts, days, last }) => [name, totalOf(counts), days, last]),
  };
}

describe('countProjects()', () => {
  const logs = {
    '.claude/projects/a/1.jsonl': aTranscript('/src/alpha', 'm1', 0, 1),
    '.claude/projects/a/2.jsonl': aTranscript('/src/alpha', 'm2', 1),
    '.claude/projects/b/1.jsonl': aTranscript('C:\\src\\beta', 'm3', 3),
  };

  test('adds up the logs of each folder, most tokens first', async () => {
    expect(await projectsIn(logs)).toEqual({
      unnamed: [],
      projects: [
        ['alpha', 30, 2, '2026-03-03'],
        ['beta', 10, 1, '2026-03-05'],
      ],
    });
  });

  test('counts a response once that is in two logs of a folder', async () => {
    const twice = aTranscript('/src/alpha', 'm1', 0);

    expect(
      (
        await projectsIn({
          '.claude/projects/a/1.jsonl': twice,
          '.claude/projects/a/2.jsonl': twice,
        })
      ).projects,
    ).toEqual([['alpha', 10, 1, '2026-03-02']]);
  });

  test('leaves out days before a day', async () => {
    expect((await projectsIn(logs, '2026-03-03')).projects).toEqual([
      ['alpha', 20, 1, '2026-03-03'],
      ['beta', 10, 1, '2026-03-05'],
    ]);
  });

  test('adds up several tools, and says whose logs name no folder', async () => {
    const rollout = (folder: object) => {
      const head = JSON.stringify({ ...JSON.parse(aCodexHead('a', 0)), ...folder });
      return `${head}\n${aCodexCount(0, 5, 5)}\n`;
    };
    const path = '.codex/sessions/rollout-1.jsonl';
    const tokensWith = async (folder: object) => {
      const { projects, unnamed } = await projectsIn({ ...logs, [path]: rollout(folder) });
      return { unnamed, projects: projects.map(([name, tokens]) => [name, tokens]) };
    };

    expect(await tokensWith({ cwd: '/src/alpha' })).toEqual({
      unnamed: [],
      projects: [
        ['alpha', 85],
        ['beta', 10],
      ],
    });
    expect(await tokensWith({})).toEqual({
      unnamed: ['codex'],
      projects: [
        ['alpha', 30],
        ['beta', 10],
      ],
    });
  });
});

describe('distinctNames()', () => {
  test('is the last part, with as many parents as distinguish it', () => {
    const paths = ['/src/alpha', '/src/a/web', '/src/b/web', '/', 'C:\\x\\alpha2'];

    expect([...distinctNames(paths).values()]).toEqual(['alpha', 'a/web', 'b/web', '/', 'alpha2']);
  });
});
