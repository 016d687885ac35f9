import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { feedDocument } from '#agent/logs/read-log.ts';
import { openCode } from '#core/readers/opencode.ts';
import type { Reader } from '#core/readers/shared/reader.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const MESSAGE = {
  id: 'msg_1',
  role: 'assistant',
  time: { created: Date.UTC(2026, 2, 2) },
  modelID: 'gpt-6',
  providerID: 'openai',
  tokens: { input: 1, output: 2 },
};

function said(text: string | Uint8Array) {
  const file = openCode.open('m');
  const path = join(aFolder({ 'm.json': text }), 'm.json');
  feedDocument(path, openCode as Reader, file);
  const { responses, skipped } = file.finish();
  return { outputs: responses.map(({ output }) => output), skipped };
}

describe('feedDocument()', () => {
  test.each([
    ['on several lines', JSON.stringify(MESSAGE, null, 2)],
    ['with a byte order mark', `\uFEFF${JSON.stringify(MESSAGE)}\r\n`],
    ['with a text of 6 MB', JSON.stringify({ text: 'a "word" \\ \n'.repeat(400_000), ...MESSAGE })],
  ])('passes on a document %s', (_, text) => {
    expect(said(text)).toEqual({ outputs: [2], skipped: {} });
  });

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['irrelevant', '{"role":"user"}'],
    ['irrelevant and damaged', '{"role":'],
  ])('skips one that is %s', (_, text) => {
    expect(said(text)).toEqual({ outputs: [], skipped: {} });
  });

  test('counts one that is truncated, and one whose structure is too long', () => {
    const torn = JSON.stringify(MESSAGE).slice(0, -2);
    const huge = JSON.stringify({ list: Array.from({ length: 4_500_000 }, () => 1), ...MESSAGE });

    expect(said(torn)).toEqual({ outputs: [], skipped: { not_json: 1 } });
    expect(said(huge)).toEqual({ outputs: [], skipped: { too_long: 1 } });
  });

  test('rejects shortened IDs and names', () => {
    const text = 'x'.repeat(6_000_000);

    expect(said(JSON.stringify({ ...MESSAGE, text, id: 'i'.repeat(600) })).skipped).toEqual({
      id: 1,
    });
    expect(said(JSON.stringify({ ...MESSAGE, text, modelID: 'm'.repeat(600) })).skipped).toEqual({
      name: 1,
    });
  });

  test('reports an unreadable file', () => {
    const file = openCode.open('m');

    expect(() => feedDocument(join(aFolder(), 'm.json'), openCode as Reader, file)).toThrow(
      'ENOENT',
    );
  });
});
