import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { noteOf, parseNote, signatureLine, verifyNote } from '#core/domain/tlog/note.ts';
import { sha256 } from '#server/process/crypto.ts';
import { aLogKey } from '#tests/support/tlog/note-keys.ts';
import { ENOCH, PETER, QUASIMODO } from '#tests/support/tlog/vectors.ts';

const peter = parseVkey(PETER.vkey, sha256);
const enoch = parseVkey(ENOCH.vkey, sha256);
const signed = `${PETER.text}\n${PETER.line}${ENOCH.line}`;

describe('parseNote()', () => {
  test('splits the example of the standard, whose text has an empty line', () => {
    const { text, signatures } = parseNote(QUASIMODO);

    expect(text).toMatch(/^Ognuno[^]+sole:\n\ned è subito sera\.\n$/);
    expect(signatures).toMatchObject([{ name: 'quasimodo.example/salvatore', id: '367ba04b' }]);
    expect(noteOf(text, signatures)).toBe(QUASIMODO);
  });

  test.each([
    ['nothing', '', 'An empty line', null],
    ['no signature', `${PETER.text}\n`, 'must end', null],
    ['no empty line', PETER.text + PETER.line, 'An empty line', null],
    ['a line feed missing at the end', signed.slice(0, -1), 'must end', null],
    ['line ends of Windows', signed.replaceAll('\n', '\r\n'), 'control', 1],
    ['a control character', signed.replace('then', '\u001bthen'), 'control', 2],
    ['a hyphen', signed.replace('— Peter', '- Peter'), 'em dash', 4],
    ['text after the signature', signed.replace(/=\n$/, '= x\n'), 'em dash', 5],
    ['a plus sign in a name', signed.replace('— Peter', '— Peter+'), 'em dash', 4],
    ['a signature without bytes', `${PETER.text}\n— a AAAAAA==\n`, 'em dash', 4],
    ['base64 with other bits at the end', signed.replace('AM=\n', 'AN=\n'), 'em dash', 4],
    ['URL-safe base64', signed.replace('rwz+eB', 'rwz-eB'), 'em dash', 5],
    ['half a character', signed.replace('then', '\ud800'), 'Unicode', null],
    ['too many signatures', `a\n\n${PETER.line.repeat(101)}`, 'at most 100', null],
    ['too many characters', `${'a'.repeat(512 * 1024)}\n\n${PETER.line}`, 'at most 524288', null],
  ])('throws note_invalid for %s', (_name, note, message, line) => {
    const expected = expect.objectContaining({
      code: 'note_invalid',
      message: expect.stringContaining(message),
      line,
    });
    expect(() => parseNote(note)).toThrow(expected);
  });
});

describe('verifyNote()', () => {
  test('accepts the signatures of another program, and ignores the others', async () => {
    await verifyNote(parseNote(signed), peter, verifyStrict);
    await verifyNote(parseNote(signed), enoch, verifyStrict);
    await verifyNote(parseNote(`${PETER.text}\n${PETER.line}— x AAAAAAA=\n`), peter, verifyStrict);
  });

  test('throws signature_invalid if the text changed', async () => {
    const changed = parseNote(signed.replace('problem is', 'problem was'));

    await expect(verifyNote(changed, peter, verifyStrict)).rejects.toMatchObject({
      code: 'signature_invalid',
    });
  });

  test('throws signature_invalid if the signature has another length', async () => {
    const { text, signatures } = parseNote(signed);
    const [first] = signatures;
    const short = { name: 'PeterNeumann', id: 'c74f20a3', signature: first?.signature.subarray(1) };
    const note = noteOf(text, [{ ...short, signature: short.signature ?? new Uint8Array(1) }]);

    await expect(verifyNote(parseNote(note), peter, verifyStrict)).rejects.toMatchObject({
      code: 'signature_invalid',
    });
  });

  test('throws signature_missing if only another key of the same name signed', async () => {
    const other = aLogKey('PeterNeumann');
    const note = noteOf(PETER.text, [other.sign(PETER.text)]);

    await expect(verifyNote(parseNote(note), peter, verifyStrict)).rejects.toMatchObject({
      code: 'signature_missing',
    });
    await verifyNote(parseNote(note), other.key, verifyStrict);
  });
});

describe('signatureLine()', () => {
  test('is the line that was parsed', () => {
    expect(parseNote(signed).signatures.map(signatureLine)).toEqual([PETER.line, ENOCH.line]);
  });
});
