import { describe, expect, test } from 'vitest';
import { parseWitnessRequest, witnessRefusal } from '#core/domain/tlog/witness.ts';
import { EMPTY_ROOT, type TreeHead } from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { signedCheckpoint } from '#tests/support/tlog/note-keys.ts';
import { aTreeLog } from '#tests/support/tlog/tree-log.ts';
import { SOFA_EXTENSION } from '#tests/support/tlog/vectors.ts';

describe('parseWitnessRequest()', () => {
  test('reads the example of the standard', () => {
    const { oldSize, path, checkpoint, note } = parseWitnessRequest(SOFA_EXTENSION);

    expect([oldSize, path.length, checkpoint.size]).toEqual([20_852_014, 4, 20_852_163]);
    expect(checkpoint.origin).toBe('example.com/behind-the-sofa');
    expect(note.signatures).toHaveLength(2);
  });

  test.each([
    ['a leading zero in the old size', SOFA_EXTENSION.replace('old 2', 'old 02')],
    ['no old size', SOFA_EXTENSION.replace(/^old .+\n/, '')],
    ['two spaces', SOFA_EXTENSION.replace('old ', 'old  ')],
    ['no empty line', SOFA_EXTENSION.replace('\n\n', '\n')],
    ['64 hashes', SOFA_EXTENSION.replace(/(.+=\n)/, '$1'.repeat(61))],
    ['no line feed at the end', SOFA_EXTENSION.slice(0, -1)],
    ['CRLF', SOFA_EXTENSION.replaceAll('\n', '\r\n')],
    ['nothing', ''],
  ])('rejects a request with %s', (_name, text) => {
    expect(() => parseWitnessRequest(text)).toThrow(
      expect.objectContaining({ name: 'NoteError' }) as Error,
    );
  });
});

describe('witnessRefusal()', () => {
  const log = aTreeLog().grow(300);
  const older = log.fork(200);
  const other = log.fork(199).grow(1);
  const statusOf = (text: string, latest: TreeHead | null) => {
    return witnessRefusal(parseWitnessRequest(text), latest, sha256)?.status ?? 200;
  };

  test.each([
    ['a first checkpoint', log.request(0), null, 200],
    ['a first checkpoint of an empty log', aTreeLog().request(0), null, 200],
    ['a checkpoint that extends the last one', log.request(200), older.head(), 200],
    ['the last checkpoint again', older.request(200), older.head(), 200],
    ['an old size above the size', log.request(0).replace('old 0', 'old 301'), log.head(), 400],
    ['an old size that is not the last one', log.request(100), older.head(), 409],
    ['an old size after nothing', log.request(200), null, 409],
    ['a smaller checkpoint', older.request(200), log.head(), 409],
    ['another tree of the same size', other.request(200), older.head(), 409],
    ['a tree that does not extend the last one', log.request(200), other.head(), 422],
    ['no proof', log.request(200).replace(/\n[^]*?\n\n/, '\n\n'), older.head(), 422],
    ['a proof from nothing', log.request(200).replace('old 200', 'old 0'), null, 422],
  ])('answers %s', (_name, text, latest, status) => {
    expect(statusOf(text, latest)).toBe(status);
  });

  test('rejects an empty tree with another root than that of nothing', () => {
    const root = EMPTY_ROOT.map((byte) => byte ^ 1);
    const text = signedCheckpoint({ origin: log.key.name, size: 0, root }, log);

    expect(statusOf(`old 0\n\n${text}`, null)).toBe(422);
  });

  test('rejects a path of which any bit is flipped', () => {
    const request = parseWitnessRequest(log.request(200));
    request.path.forEach((hash, at) => {
      for (let bit = 0; bit < 256; bit += 17) {
        const flipped = hash.map((byte, place) => byte ^ (place === bit >> 3 ? 1 << (bit & 7) : 0));
        const path = request.path.with(at, flipped);
        expect(witnessRefusal({ ...request, path }, older.head(), sha256)?.status).toBe(422);
      }
    });
  });
});
