import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import {
  checkConsistency,
  checkInclusion,
  consistencyText,
  logProofText,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import {
  type ReadNode,
  consistencyPath,
  inclusionPath,
  leafHash,
  nodeHash,
  rootOf,
} from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import {
  type TestLog,
  type TestWitness,
  aLogKey,
  aWitness,
  signedCheckpoint,
} from '#tests/support/tlog/note-keys.ts';
import { SOFA, SOFA_EXTENSION } from '#tests/support/tlog/vectors.ts';

const tools = { sha256, verify: verifyStrict };
const entryOf = (index: number) => Buffer.from(`entry ${index}\n`);

const read: ReadNode = (level, number) => {
  if (level === 0) return leafHash(entryOf(number), sha256);
  return nodeHash(read(level - 1, 2 * number), read(level - 1, 2 * number + 1), sha256);
};

let log: TestLog;
let witness: TestWitness;
let policy: Policy;

beforeAll(() => {
  log = aLogKey();
  witness = aWitness();
  policy = {
    logs: [{ key: log.key, url: null }],
    witnesses: new Map([['w', { key: witness.key, url: null }]]),
    quorum: { witness: 'w' },
  };
});

function checkpointOf(size: number, witnesses = [witness]) {
  const checkpoint = { origin: log.key.name, size, root: rootOf(size, read, sha256) };
  return signedCheckpoint(checkpoint, log, witnesses);
}

function proofOf(index: number, size: number) {
  const path = inclusionPath(index, size, read, sha256);
  return logProofText({ extra: entryOf(index), index, path, checkpoint: checkpointOf(size) });
}

const sizes = fc.integer({ min: 1, max: 70 }).chain((size) => {
  return fc.tuple(fc.nat(size - 1), fc.constant(size));
});

describe('an inclusion proof', () => {
  test('has the form of the standard', () => {
    const lines = proofOf(1, 3).split('\n');

    expect(lines[0]).toBe('c2sp.org/tlog-proof@v1');
    expect(lines[1]).toBe(`extra ${entryOf(1).toString('base64')}`);
    expect(lines[2]).toBe('index 1');
    expect(lines.slice(5, 8)).toEqual(['', 'board.example/log', '3']);
  });

  test('proves each entry of trees of all sizes, with the time of the cosignature', async () => {
    const property = fc.asyncProperty(sizes, async ([index, size]) => {
      const proof = parseLogProof(proofOf(index, size));
      const checked = await checkInclusion(entryOf(index), proof, policy, tools);

      expect(checked).toMatchObject({ size, cosigned: new Map([['w', 1_800_000_000]]) });
    });

    await fc.assert(property, { numRuns: 30 });
  });

  test('may have no extra data, and an empty path', async () => {
    const text = logProofText({
      extra: null,
      index: 0,
      path: [],
      checkpoint: checkpointOf(1),
    });

    expect(text).toMatch(/^c2sp.org\/tlog-proof@v1\nindex 0\n\nboard/);
    expect(parseLogProof(text)).toMatchObject({ extra: null, index: 0, path: [] });
    await checkInclusion(entryOf(0), parseLogProof(text), policy, tools);
  });

  test.each([
    ['another entry', 5, (text: string) => text],
    ['another index', 4, (text: string) => text.replace('index 4', 'index 5')],
    ['an index beyond the tree', 4, (text: string) => text.replace('index 4', 'index 7')],
    ['a hash too few', 4, (text: string) => text.replace(/[^\n]+=\n\n/, '\n')],
  ])('throws inclusion_invalid for %s', async (_name, index, change) => {
    const proof = parseLogProof(change(proofOf(4, 7)));

    await expect(checkInclusion(entryOf(index), proof, policy, tools)).rejects.toMatchObject({
      code: 'inclusion_invalid',
    });
  });

  test.each([
    ['another first line', (text: string) => text.replace('@v1', '@v2'), 1],
    ['extra data twice', (text: string) => text.replace('extra', 'extra YQ==\nextra'), 3],
    ['damaged extra data', (text: string) => text.replace('extra ', 'extra *'), 2],
    ['no index', (text: string) => text.replace(/index 4\n/, ''), 3],
    ['a leading zero', (text: string) => text.replace('index 4', 'index 04'), 3],
    [
      'an index above 2^53-1',
      (text: string) => text.replace('index 4', 'index 9007199254740992'),
      3,
    ],
    ['a word after the index', (text: string) => text.replace('index 4', 'index 4 x'), 3],
    ['a damaged hash', (text: string) => text.replace('=\n\n', '\n\n'), 6],
    ['line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n'), null],
    ['no checkpoint', (text: string) => text.slice(0, text.indexOf('\n\n') + 1), null],
    [
      '64 hashes',
      (text: string) => text.replace('\n\n', `\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n`),
      null,
    ],
    ['too many characters', (text: string) => text + 'a'.repeat(1024 * 1024), null],
  ])('throws proof_invalid for %s', (_name, change, line) => {
    const text = change(proofOf(4, 7));

    const expected = expect.objectContaining({ code: 'proof_invalid', line });
    expect(() => parseLogProof(text)).toThrow(expected);
  });
});

describe('the checkpoint of a proof', () => {
  test.each([
    ['quorum_missing', 'no witness cosigned', () => checkpointOf(7, [])],
    ['quorum_missing', 'a stranger cosigned', () => checkpointOf(7, [aWitness()])],
    ['signature_invalid', 'the size changed', () => checkpointOf(7).replace('\n7\n', '\n8\n')],
    [
      'signature_missing',
      'another log of the same name signed it',
      () => {
        const root = rootOf(7, read, sha256);
        return signedCheckpoint({ origin: log.key.name, size: 7, root }, aLogKey());
      },
    ],
    [
      'signature_missing',
      'the log signed it under another origin',
      () => signedCheckpoint({ origin: 'other', size: 7, root: rootOf(7, read, sha256) }, log),
    ],
    ['note_invalid', 'it is cut off', () => checkpointOf(7).slice(0, -1)],
    [
      'checkpoint_invalid',
      'it has an extension',
      () => {
        const text = 'board.example/log\n7\nx\n';
        return `${text}\n— board.example/log AAAAAAA=\n`;
      },
    ],
  ])('leads to %s if %s', async (code, _name, checkpoint) => {
    const path = inclusionPath(4, 7, read, sha256);
    const proof = { extra: null, index: 4, path, checkpoint: checkpoint() };

    await expect(checkInclusion(entryOf(4), proof, policy, tools)).rejects.toMatchObject({ code });
  });

  test('may be signed by either of two keys of the log', async () => {
    const older = { key: aLogKey().key, url: null };
    const both = { ...policy, logs: [older, ...policy.logs] };

    await checkInclusion(entryOf(4), parseLogProof(proofOf(4, 7)), both, tools);
  });
});

describe('a consistency proof', () => {
  const older = (size: number) => ({ size, root: rootOf(size, read, sha256) });

  function extension(oldSize: number, size: number) {
    const path = consistencyPath(oldSize, size, read, sha256);
    return consistencyText({ oldSize, path, checkpoint: checkpointOf(size) });
  }

  test('reads and writes the example of the standard', () => {
    const proof = parseConsistency(SOFA_EXTENSION);

    expect(proof).toMatchObject({ oldSize: 20_852_014, checkpoint: SOFA });
    expect(proof.path).toHaveLength(4);
    expect(consistencyText(proof)).toBe(SOFA_EXTENSION);
  });

  test('proves that a tree extends each smaller one', async () => {
    const property = fc.asyncProperty(sizes, async ([oldSize, size]) => {
      const proof = parseConsistency(extension(oldSize, size));

      await checkConsistency(older(oldSize), proof, policy, tools);
    });

    await fc.assert(property, { numRuns: 30 });
  });

  test.each([
    ['another root', { size: 3, root: new Uint8Array(32) }],
    ['another size', { size: 4, root: new Uint8Array(32) }],
  ])('throws consistency_invalid for %s', async (_name, tree) => {
    const proof = parseConsistency(extension(3, 7));

    await expect(checkConsistency(tree, proof, policy, tools)).rejects.toMatchObject({
      code: 'consistency_invalid',
    });
  });

  test('throws consistency_invalid if the newer tree is smaller, as after a rewind', async () => {
    const proof = { oldSize: 7, path: [], checkpoint: checkpointOf(3) };

    await expect(checkConsistency(older(7), proof, policy, tools)).rejects.toMatchObject({
      code: 'consistency_invalid',
    });
  });
});
