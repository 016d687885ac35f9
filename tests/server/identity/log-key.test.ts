import { describe, expect, test } from 'vitest';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { noteOf, parseNote, verifyNote } from '#core/domain/tlog/note.ts';
import { openLogKey } from '#server/identity/log-key.ts';
import { sha256 } from '#server/process/crypto.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';

function openAt(ctx: TestContext, baseUrl: string) {
  return openLogKey(ctx.store, { baseUrl, boardKey: ctx.boardKey, now: ctx.now() });
}

function logged(ctx: TestContext) {
  const texts = query(
    ctx,
    `SELECT CAST(payload AS TEXT) AS text FROM log_entries
    WHERE kind = 'log-key' ORDER BY log_index`,
  ) as { text: string }[];
  return texts.map(({ text }) => {
    const { payload, keyid } = takeApart(
      JSON.parse(text),
      'application/vnd.opbench.log-key.v1+json',
    );
    expect(keyid).toBe(ctx.boardKey.keyid);
    return JSON.parse(Buffer.from(payload).toString()) as unknown;
  });
}

describe('openLogKey()', () => {
  test('creates the key once and enters it in the log, sealed by the board key', () => {
    const ctx = testContext();

    const key = openAt(ctx, 'https://board.example');
    const again = openAt(ctx, 'https://board.example');

    expect(key.origin).toBe('board.example/log');
    expect(again.vkey).toBe(key.vkey);
    expect(logged(ctx)).toEqual([{ origin: 'board.example/log', vkey: key.vkey }]);
  });

  test('signs notes that its vkey verifies', async () => {
    const ctx = testContext();
    const { sign, vkey } = openAt(ctx, 'https://board.example:8443');
    const note = parseNote(noteOf('text\n', [sign('text\n')]));

    expect(vkey).toMatch(/^board\.example:8443\/log\+/);
    await verifyNote(note, parseVkey(vkey, sha256), verifyStrict);
  });

  test('keeps the origin when the address changes', () => {
    const ctx = testContext();
    const { vkey } = openAt(ctx, 'https://board.example');

    expect(openAt(ctx, 'https://other.example').vkey).toBe(vkey);
    expect(openAt(ctx, 'http://127.0.0.1:4321').vkey).toBe(vkey);
    expect(logged(ctx)).toHaveLength(1);
  });

  test('replaces the origin of a loopback address once, when the board gets a public URL', () => {
    const ctx = testContext();
    const local = openAt(ctx, 'http://127.0.0.1:4321');
    expect(openAt(ctx, 'http://localhost:4322').vkey).toBe(local.vkey);

    const open = openAt(ctx, 'https://board.example');

    expect([local.origin, open.origin]).toEqual(['127.0.0.1:4321/log', 'board.example/log']);
    expect(openAt(ctx, 'http://127.0.0.1:4321').vkey).toBe(open.vkey);
    expect(openAt(ctx, 'https://other.example').vkey).toBe(open.vkey);
    expect(logged(ctx)).toHaveLength(2);
  });
});
