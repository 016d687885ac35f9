/** The board's notes and proofs, checked by the package that checks those of Sigstore. */
import { createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parseLogProof } from '#core/domain/tlog/log-proof.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { sha256 } from '#server/process/crypto.ts';
import { readLogProof } from '#server/public-log/proofs.ts';
import { testContext } from '#tests/support/board/context.ts';
import { checkpointsOf, growLog, logKeyOf } from '#tests/support/tlog/board-checkpoints.ts';

interface TlogEntry {
  canonicalizedBody: Uint8Array;
  inclusionProof: {
    logIndex: string;
    hashes: Uint8Array[];
    checkpoint: { envelope: string };
  };
}

interface Checkpoint {
  logSize: bigint;
}

// The package exports neither, but its files can be loaded.
const load = createRequire(import.meta.url);
const { verifyCheckpoint } = load('@sigstore/verify/dist/tlog/checkpoint.js') as {
  verifyCheckpoint: (entry: TlogEntry, logs: readonly object[]) => Checkpoint;
};
const { verifyMerkleInclusion } = load('@sigstore/verify/dist/tlog/merkle.js') as {
  verifyMerkleInclusion: (entry: TlogEntry, checkpoint: Checkpoint) => void;
};

function aBoard() {
  const ctx = testContext();
  const checkpoints = checkpointsOf(ctx);
  growLog(ctx, 700);
  checkpoints.advance();
  ctx.checkpoints = checkpoints;
  const { name, id, publicKey } = parseVkey(logKeyOf(ctx).vkey, sha256);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) };
  const log = {
    logID: Buffer.from(id, 'hex'),
    baseURL: `https://${name}`,
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  };
  const entryOf = (log_index: number): TlogEntry => {
    const { extra, index, path, checkpoint } = parseLogProof(readLogProof(ctx, { log_index }));
    return {
      canonicalizedBody: extra ?? new Uint8Array(),
      inclusionProof: {
        logIndex: String(index),
        hashes: path,
        checkpoint: { envelope: checkpoint },
      },
    };
  };
  return { ctx, log, entryOf };
}

describe('@sigstore/verify', () => {
  test('accepts the checkpoint and the proofs of entries', () => {
    const { ctx, log, entryOf } = aBoard();
    const size = ctx.store.tiles.size();

    for (const log_index of [1, 2, 255, 256, 257, 512, 513, size]) {
      const entry = entryOf(log_index);
      const checkpoint = verifyCheckpoint(entry, [log]);
      verifyMerkleInclusion(entry, checkpoint);
      expect(checkpoint.logSize).toBe(BigInt(size));
    }
  });

  test('rejects another size and another entry', () => {
    const { log, entryOf } = aBoard();
    const entry = entryOf(300);
    const { envelope } = entry.inclusionProof.checkpoint;
    const changed = envelope.replace(/\n(\d+)\n/, (_, size: string) => `\n${Number(size) + 1}\n`);
    const other = {
      ...entry,
      inclusionProof: { ...entry.inclusionProof, checkpoint: { envelope: changed } },
    };

    expect(() => verifyCheckpoint(other, [log])).toThrow('invalid checkpoint signature');
    const checkpoint = verifyCheckpoint(entry, [log]);
    const forged = { ...entry, canonicalizedBody: Buffer.from('another entry') };
    expect(() => verifyMerkleInclusion(forged, checkpoint)).toThrow('does not match');
  });
});
