import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareEntry } from '#core/domain/log/bare-entry.ts';
import { entryHash, entryText } from '#core/domain/log/log-entry.ts';
import { sha256 } from '#server/process/crypto.ts';
import { FUZZING, FUZZING_MS, mutatedBytes } from '#tests/support/fuzz/arbitrary-mutation.ts';

const HEAD = {
  index: 12,
  kind: 'snapshot',
  previous: 'ab'.repeat(32),
  received_at: '2026-03-10T12:00:00.000Z',
} as const;
const DIGEST = 'cd'.repeat(32);
const LEAF = Buffer.from(entryText(HEAD, DIGEST));

describe('bareEntry()', { timeout: FUZZING_MS }, () => {
  test('reads what entryText() writes, without a payload', () => {
    expect(bareEntry(LEAF, sha256)).toEqual({
      line: 'entry',
      log_index: 12,
      kind: 'snapshot',
      previous: HEAD.previous,
      received_at: HEAD.received_at,
      payload_digest: DIGEST,
      entry_hash: entryHash(HEAD, DIGEST, sha256),
      salt: null,
      payload: null,
      receipt: null,
    });
  });

  test('accepts a kind of a later version', () => {
    const leaf = Buffer.from(LEAF.toString().replace('snapshot', 'a-new-kind'));

    expect(bareEntry(leaf, sha256)?.kind).toBe('a-new-kind');
  });

  test('accepts each entry in exactly one form', () => {
    const property = (bytes: Uint8Array) => {
      const found = bareEntry(bytes, sha256);
      if (!found) return;
      const { log_index: index, kind, previous, received_at, payload_digest } = found;
      const head = { index, kind: kind as typeof HEAD.kind, previous, received_at };
      expect(Buffer.from(bytes).toString()).toBe(entryText(head, payload_digest));
    };

    fc.assert(fc.property(mutatedBytes([LEAF]), property), FUZZING);
  });
});
