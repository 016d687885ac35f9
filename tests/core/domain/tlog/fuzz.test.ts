import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseConsistency, parseLogProof } from '#core/domain/tlog/log-proof.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { parseVkey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { noteOf, parseNote, parseSignatures, signatureLine } from '#core/domain/tlog/note.ts';
import { consistencyText, logProofText } from '#core/domain/tlog/log-proof.ts';
import { checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { parsePolicy } from '#core/domain/tlog/policy.ts';
import { parseWitnessRequest } from '#core/domain/tlog/witness.ts';
import { sha256 } from '#server/process/crypto.ts';
import { FUZZING, FUZZING_MS, mutatedText } from '#tests/support/fuzz/arbitrary-mutation.ts';
import { attempt } from '#tests/support/fuzz/arbitrary-text.ts';
import { ENOCH, PETER, QUASIMODO, SOFA, SOFA_EXTENSION } from '#tests/support/tlog/vectors.ts';

const isRefusal = (error: unknown) => error instanceof NoteError;
const HASH = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const PROOF = `c2sp.org/tlog-proof@v1\nextra aGVsbG8=\nindex 3\n${HASH}\n${HASH}\n\n${SOFA}`;
const POLICY = `log ${PETER.vkey}\nwitness a remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2\ngroup g any a\nquorum g\n`;
const SOFA_TEXT = parseNote(SOFA).text;

/** Each parser, valid texts, and what writes the value again. */
const PARSERS: Readonly<Record<string, [(text: string) => string | null, readonly string[]]>> = {
  note: [
    (text) => {
      const note = parseNote(text);
      return noteOf(note.text, note.signatures);
    },
    [QUASIMODO, SOFA, `${PETER.text}\n${PETER.line}${ENOCH.line}`],
  ],
  signatures: [
    (text) => parseSignatures(text).map(signatureLine).join(''),
    [PETER.line, PETER.line + ENOCH.line],
  ],
  checkpoint: [(text) => checkpointText(parseCheckpoint(text)), [SOFA_TEXT, `a\n0\n${HASH}\n`]],
  vkey: [(text) => vkeyOf(parseVkey(text, sha256)), [PETER.vkey, ENOCH.vkey]],
  'inclusion proof': [(text) => logProofText(parseLogProof(text)), [PROOF]],
  'consistency proof': [(text) => consistencyText(parseConsistency(text)), [SOFA_EXTENSION]],
  'request to a witness': [
    (text) => {
      const { oldSize, path, note } = parseWitnessRequest(text);
      return consistencyText({ oldSize, path, checkpoint: noteOf(note.text, note.signatures) });
    },
    [SOFA_EXTENSION],
  ],
  policy: [(text) => (parsePolicy(text, sha256), null), [POLICY]],
};

describe.each(Object.entries(PARSERS))('the parser of a %s', (_name, [reparse, seeds]) => {
  const canonical = (text: string) => {
    const again = reparse(text);
    if (again !== null) expect(again).toBe(text);
  };

  test('accepts the valid texts', () => {
    seeds.forEach(canonical);
  });

  test(
    'returns a value with exactly this text or throws a NoteError, whatever the mutation',
    () => {
      const texts = fc.oneof(
        mutatedText(seeds),
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom(...seeds).map((seed) => seed.replaceAll('\n', '\r\n')),
        fc.constantFrom(...seeds).map((seed) => seed + seed),
        fc.constantFrom(...seeds).map((seed) => seed.replaceAll(/\d+/g, '9'.repeat(400))),
      );

      fc.assert(
        fc.property(texts, (text) => attempt(canonical, text, isRefusal)),
        { ...FUZZING, numRuns: FUZZING.numRuns * 4 },
      );
    },
    FUZZING_MS,
  );

  test('throws a NoteError or reads a shorter text, wherever it is cut off', () => {
    for (const seed of seeds) {
      for (let end = 0; end < seed.length; end += 1) {
        attempt(canonical, seed.slice(0, end), isRefusal);
      }
    }
  });
});
