import { join } from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scanLogs as scan } from '#agent/logs/scan.ts';
import type { Environment } from '#agent/settings.ts';
import { readers } from '#core/readers/readers.ts';
import { logCases } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

async function scanLogs(environment: Environment) {
  const { buckets, sources, notes } = await scan(environment, { index: null });
  return { buckets, sources, notes };
}

async function scanClaude(content: string | Uint8Array) {
  const { buckets, sources } = await scanLogs({
    CLAUDE_CONFIG_DIR: aFolder({ 'projects/p/s.jsonl': content }),
  });
  const [{ skipped, events } = { skipped: null, events: -1 }] = sources;
  return { outputs: buckets.map(({ output }) => output), skipped, events };
}

describe('scanLogs()', () => {
  test.each(logCases('claude-code'))('claude-code $name: $note', async (of) => {
    const { buckets, sources } = await scanLogs({ CLAUDE_CONFIG_DIR: of.folder });

    expect(buckets).toEqual(of.buckets);
    expect(sources[0]).toMatchObject({ skipped: of.skipped, unreadable: [] });
  });

  test.each(logCases('codex'))('codex $name: $note', async (of) => {
    const { buckets, sources } = await scanLogs({ CODEX_HOME: of.folder });

    expect(buckets).toEqual(of.buckets);
    expect(sources[1]).toMatchObject({ skipped: of.skipped, unreadable: [] });
  });

  test('reads a folder that a variable names for one tool under the name of the tool that owns it', async () => {
    const line = JSON.stringify({
      type: 'message',
      timestamp: '2026-03-02T09:00:00Z',
      message: { role: 'assistant', usage: { input: 1, output: 2 } },
    });
    const path = '.omp/agent/sessions/s.jsonl';
    const HOME = aFolder({ [path]: `{"type":"session","id":"s"}\n${line}\n` });
    const env = { HOME, PI_CODING_AGENT_DIR: join(HOME, '.omp', 'agent') };

    expect((await scanLogs(env)).buckets).toMatchObject([
      { tool: 'oh-my-pi', input: 1, output: 2 },
    ]);
  });

  test('lists the searched folders of every tool, even without logs', async () => {
    const folder = aFolder();

    const roots: Record<string, string[]> = {
      'claude-code': [join(folder, 'projects')],
      codex: [join(folder, 'sessions'), join(folder, 'archived_sessions')],
    };
    const { buckets, sources } = await scanLogs({ CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder });

    expect(buckets).toEqual([]);
    expect(sources).toEqual(
      readers.map(({ tool }) => {
        const nothing = { files: 0, events: 0, skipped: {}, unreadable: [] };
        return { ...nothing, tool, roots: roots[tool] ?? [] };
      }),
    );
  });

  test('sorts the buckets of all tools together', async () => {
    const folder = aFolder({
      'projects/p/s.jsonl': `${aClaudeLine({ at: 86_400_000 })}\n${aClaudeLine({ id: 'msg_b' })}\n`,
      'sessions/r.jsonl': `${aCodexHead('a', 0)}\n${aCodexCount(1, 1, 1)}\n`,
    });
    const { buckets } = await scanLogs({ CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder });

    expect(buckets.map(({ day, tool }) => `${day} ${tool}`)).toEqual([
      '2026-03-02 claude-code',
      '2026-03-02 codex',
      '2026-03-03 claude-code',
    ]);
  });

  test('reads compressed logs', async () => {
    const text = `${aCodexHead('a', 0)}\n${aCodexCount(1, 5, 5)}\n`;
    const folder = aFolder({ 'sessions/2026/r.jsonl.zst': zlib.zstdCompressSync(text) });
    const { buckets } = await scanLogs({ CODEX_HOME: folder });

    expect(buckets).toMatchObject([{ input: 20, output: 5, cache_write: null, cache_read: 30 }]);
  });

  test('continues after an unreadable log', async () => {
    const text = `${aCodexHead('a', 0)}\n${aCodexCount(1, 5, 5)}\n`;
    const folder = aFolder({ 'sessions/a.jsonl.zst': 'damaged', 'sessions/b.jsonl': text });
    const { buckets, sources } = await scanLogs({ CODEX_HOME: folder });

    expect(buckets).toHaveLength(1);
    expect(sources[1]).toMatchObject({ files: 2, events: 1 });
    expect(sources[1]?.unreadable).toEqual([
      expect.stringContaining(join(folder, 'sessions/a.jsonl.zst')),
    ]);
  });

  test('handles a byte order mark, Windows line ends and an incomplete last line', async () => {
    const lines = [
      '\uFEFF',
      aClaudeLine({ output: 5 }),
      '\r\n',
      aClaudeLine({ id: 'msg_b', output: 7 }),
    ];

    expect(await scanClaude([...lines, '\r\n', aClaudeLine().slice(0, -9)].join(''))).toEqual({
      outputs: [12],
      skipped: {},
      events: 2,
    });
  });

  test('counts a line that was continued after a crash, and one filled with zeros', async () => {
    const torn = aClaudeLine().slice(0, -9);
    const lines = [
      torn + aClaudeLine(),
      `${'\0'.repeat(512)}${aClaudeLine()}`,
      aClaudeLine({ output: 8 }),
      '',
    ];

    expect(await scanClaude(lines.join('\n'))).toEqual({
      outputs: [8],
      skipped: { not_json: 2 },
      events: 1,
    });
  });

  test('reads a line of 5 MB', async () => {
    const content = [{ type: 'text', text: 'a "word" \\ '.repeat(450_000) }];
    const lines = [
      aClaudeLine({ output: 1 }),
      aClaudeLine({ id: 'msg_b', output: 30, content }),
      '',
    ];

    expect(await scanClaude(lines.join('\n'))).toEqual({
      outputs: [31],
      skipped: {},
      events: 2,
    });
  });

  test.each([
    [
      'text',
      [{ type: 'text', text: '{"usage":{"input_tokens":9}},"stop_reason":null'.repeat(50) }],
    ],
    [
      'the input of a tool',
      [{ input: { stop_reason: 1, usage: { input_tokens: 9 } }, x: 'y'.repeat(3000) }],
    ],
    [
      'content of its own format',
      [JSON.parse(aClaudeLine({ content: 'z'.repeat(3000), output: 999 }))],
    ],
    [
      'a nested message',
      { content: 'z'.repeat(3000), stop_reason: null, usage: { input_tokens: 9 } },
    ],
  ])('ignores content that looks like counts: %s', async (_, content) => {
    expect(await scanClaude(`${aClaudeLine({ content, output: 6 })}\n`)).toEqual({
      outputs: [6],
      skipped: {},
      events: 1,
    });
  });

  test('leaves out the largest counts if the total is impossibly large', async () => {
    const huge = 200_000_000_000_000;
    const lines = [1, 2, 3].map((id) =>
      aClaudeLine({ id: `msg_${id}`, output: id === 2 ? 4 : huge - id }),
    );

    expect(await scanClaude(`${lines.join('\n')}\n`)).toEqual({
      outputs: [huge + 1],
      skipped: { too_much: 1 },
      events: 2,
    });
  });

  test('does not let one impossible count of a tool affect other tools', async () => {
    const folder = aFolder({
      'projects/p/s.jsonl': `${aClaudeLine({ output: 5 })}\n`,
      'sessions/r.jsonl': `${aCodexHead('a', 0)}\n${aCodexCount(1, 800_000_000_000_000, 800_000_000_000_000)}\n`,
    });
    const { buckets, sources } = await scanLogs({ CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder });

    expect(buckets).toMatchObject([{ tool: 'claude-code', output: 5 }]);
    expect(sources[1]).toMatchObject({ events: 0, skipped: { too_much: 1 } });
  });

  test('does not stop at bytes that are not text', async () => {
    const noise = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index * 31) % 256);
    const bytes = Buffer.concat([noise, Buffer.from(`\n${aClaudeLine({ output: 3 })}\n`), noise]);

    expect(await scanClaude(bytes)).toMatchObject({ outputs: [3], events: 1 });
  });
});
