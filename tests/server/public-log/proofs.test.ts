import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hex } from '#core/domain/log/log-entry.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import {
  checkConsistency,
  checkInclusion,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import { rootOf } from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { readConsistency, readLogProof } from '#server/public-log/proofs.ts';
import { sharing } from '#tests/support/board/cleanup.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import {
  checkpointsOf,
  growLog,
  logKeyOf,
  policyOf,
} from '#tests/support/tlog/board-checkpoints.ts';

const tools = { sha256, verify: verifyStrict };

/** A board with 600 entries in its checkpoint, and more that it does not have. */
let ctx: TestContext;
const cleanups: (() => void)[] = [];

afterAll(() => cleanups.forEach((clean) => clean()));

beforeAll(() => {
  ctx = sharing(cleanups, testContext);
  const checkpoints = checkpointsOf(ctx);
  growLog(ctx, 600 - (ctx.store.log.head()?.index ?? 0));
  checkpoints.advance();
  growLog(ctx, 500);
  ctx.checkpoints = checkpoints;
});

describe('readLogProof()', () => {
  test.each([1, 2, 256, 257, 512, 513, 599, 600])(
    'proves entry %i, whose hash is that of the receipt',
    async (log_index) => {
      const proof = parseLogProof(readLogProof(ctx, { log_index }));
      const entry = proof.extra ?? new Uint8Array();

      await checkInclusion(entry, proof, policyOf(logKeyOf(ctx).vkey), tools);
      expect(proof.index).toBe(log_index - 1);
      expect(hex(sha256(entry))).toBe(ctx.store.log.at(log_index)?.entry_hash);
    },
  );

  test('throws not_found for an entry that the checkpoint does not have yet', () => {
    expect(() => readLogProof(ctx, { log_index: 601 })).toThrow(refusal('not_found'));
  });

  test('throws service_unavailable before the first checkpoint', () => {
    expect(() => readLogProof(testContext(), { log_index: 1 })).toThrow(
      refusal('service_unavailable'),
    );
  });
});

describe('readConsistency()', () => {
  test.each([0, 1, 2, 255, 256, 257, 511, 512, 599, 600])(
    'proves that the tree extends that of %i entries',
    async (size) => {
      const older = { size, root: rootOf(size, ctx.store.tiles.node, sha256) };
      const proof = parseConsistency(readConsistency(ctx, { from: size }));

      await checkConsistency(older, proof, policyOf(logKeyOf(ctx).vkey), tools);
    },
  );

  test('throws not_found for a larger tree', () => {
    expect(() => readConsistency(ctx, { from: 601 })).toThrow(refusal('not_found'));
  });
});
