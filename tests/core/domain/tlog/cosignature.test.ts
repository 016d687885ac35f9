import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { cosignedMessage, verifyCosignature } from '#core/domain/tlog/cosignature.ts';
import { noteKey } from '#core/domain/tlog/note-key.ts';
import { noteOf, parseNote } from '#core/domain/tlog/note.ts';
import { sha256 } from '#server/process/crypto.ts';
import { aLogKey, aWitness } from '#tests/support/tlog/note-keys.ts';
import { SOFA } from '#tests/support/tlog/vectors.ts';

const { text, signatures } = parseNote(SOFA);

describe('cosignedMessage()', () => {
  test('is the example of the standard', () => {
    const expected = `cosignature/v1
time 1679315147
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;

    expect(Buffer.from(cosignedMessage(text, 1_679_315_147)).toString()).toBe(expected);
  });
});

describe('verifyCosignature()', () => {
  test('returns the time that the example of the standard contains', async () => {
    const key = { name: 'witness.example.com/w1', id: '8d66cf3f', type: 4 };
    const accept = () => true;
    const known = { ...key, publicKey: new Uint8Array(32) };

    await expect(verifyCosignature({ text, signatures }, known, accept)).resolves.toBe(
      1_679_315_147,
    );
  });

  test('returns when the witness cosigned', async () => {
    const witness = aWitness();
    const note = parseNote(noteOf(text, [witness.cosign(text, 1_800_000_000)]));

    await expect(verifyCosignature(note, witness.key, verifyStrict)).resolves.toBe(1_800_000_000);
  });

  test('returns null if another key signed, also under the same name', async () => {
    const [witness, log] = [aWitness('w'), aLogKey('w')];
    const other = parseNote(noteOf(text, [log.sign(text)]));

    await expect(verifyCosignature(other, witness.key, verifyStrict)).resolves.toBeNull();
  });

  test('returns null for ML-DSA-44, which counts as absent', async () => {
    const key = noteKey('w', 6, new Uint8Array(1312), sha256);
    const line = { name: 'w', id: key.id, signature: new Uint8Array(2428) };

    await expect(
      verifyCosignature({ text, signatures: [line] }, key, verifyStrict),
    ).resolves.toBeNull();
  });

  test.each([
    ['another time', (bytes: Uint8Array) => bytes.with(7, 1)],
    ['a time above 2^53-1', (bytes: Uint8Array) => bytes.with(0, 0x7f)],
    ['a changed signature', (bytes: Uint8Array) => bytes.with(20, (bytes[20] ?? 0) ^ 1)],
    ['a missing byte', (bytes: Uint8Array) => bytes.subarray(1)],
  ])('throws signature_invalid for %s', async (_name, change) => {
    const witness = aWitness();
    const line = witness.cosign(text, 1_800_000_000);
    const note = { text, signatures: [{ ...line, signature: change(line.signature) }] };

    await expect(verifyCosignature(note, witness.key, verifyStrict)).rejects.toMatchObject({
      code: 'signature_invalid',
    });
  });
});
