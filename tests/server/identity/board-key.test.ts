import { describe, expect, test } from 'vitest';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { openBoardKey } from '#server/identity/board-key.ts';
import { readBoardKeys } from '#server/public-log/log.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { query, testContext } from '#tests/support/board/context.ts';

const TYPE = 'application/vnd.opbench.board-key.v1+json';

describe('openBoardKey()', () => {
  test('creates the key at the first start and opens the same key later', () => {
    const ctx = testContext();

    const again = openBoardKey(ctx.store, ctx.now());

    expect(again.keyid).toBe(ctx.boardKey.keyid);
    expect(again.public_key).toBe(ctx.boardKey.public_key);
    expect(query(ctx, `SELECT 1 FROM log_entries WHERE kind = 'board-key'`)).toHaveLength(1);
  });

  test('enters the key in the log, signed by itself', async () => {
    const ctx = testContext();
    const entry = JSON.parse(Buffer.from(ctx.store.log.at(1)?.payload ?? []).toString()) as unknown;
    const { keyid, payload, signed, signature } = takeApart(entry, TYPE);
    const publicKey = Buffer.from(ctx.boardKey.public_key, 'base64url');

    expect(keyid).toBe(ctx.boardKey.keyid);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
      keyid,
      public_key: ctx.boardKey.public_key,
      previous: null,
    });
    expect(await verifyStrict(signed, signature, publicKey)).toBe(true);
  });

  test('is published, without its secret', () => {
    const ctx = testContext();
    const { keyid, public_key } = ctx.boardKey;

    expect(readBoardKeys(ctx)).toEqual({
      keys: [{ keyid, public_key, log_index: 1, valid_from: NOW }],
      log_key: null,
    });
  });
});
