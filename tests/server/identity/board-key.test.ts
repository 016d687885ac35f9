import { describe, expect, test } from 'vitest';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { enterRuleset, openBoardKey } from '#server/identity/board-key.ts';
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

describe('enterRuleset()', () => {
  test('enters a ruleset when it changes, and only then', () => {
    const ctx = testContext();
    const other = { ...RULESET, id: '1-00000000', coverage: 0.8 };
    const kinds = () => query(ctx, `SELECT 1 FROM log_entries WHERE kind = 'ruleset'`).length;

    enterRuleset(ctx.store, RULESET, ctx.now());
    expect(kinds()).toBe(1);
    enterRuleset(ctx.store, other, ctx.now());
    enterRuleset(ctx.store, other, ctx.now());
    expect(kinds()).toBe(2);
    enterRuleset(ctx.store, RULESET, ctx.now());
    expect(kinds()).toBe(3);
  });
});
