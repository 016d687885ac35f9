import { describe, expect, test } from 'vitest';
import { labelOf } from '#core/readers/shared/fields.ts';
import { judgeSelfReport, readSelfReport } from '#core/domain/signing/self-report.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { StatementPayload } from '#core/schema/log-payload.ts';
import { ProfileChange } from '#core/schema/profile.ts';
import { Label } from '#core/schema/scalars.ts';
import { isLabel } from '#core/schema/usage.ts';
import { BASE_URL, NOW_MS, aPayload, aRecord } from '#tests/support/board/builders.ts';

/** Names that show nothing, or look like another one. */
const BLANK = [
  ['a Hangul filler', '\u3164'],
  ['a Braille blank', '\u2800'],
  ['a variation selector', 'gpt\uFE0F'],
  ['an invalid character', '\u{FFFE}'],
  ['an unassigned character', 'gpt\u{E0FFF}'],
  ['a combining grapheme joiner', 'gp\u034Ft'],
] as const;

function snapshotOf(over: object) {
  return readSnapshot(Buffer.from(JSON.stringify(aPayload(over))), BASE_URL);
}

describe.each(BLANK)('%s', (_, name) => {
  test.each(['provider', 'model', 'tool'])('is rejected in the %s of a record', (part) => {
    const record = aRecord({ source: { ...aRecord().source, [part]: name } });
    const refusal = {
      code: 'validation_failed',
      faults: [{ pointer: `#/records/0/source/${part}` }],
    };

    const records = snapshotOf({ records: [record] });
    expect(() => judgeSnapshot(records, NOW_MS)).toThrow(
      expect.objectContaining(matching(refusal)),
    );
    const report = readSelfReport(JSON.stringify({ records: [record] }));
    expect(() => judgeSelfReport(report, NOW_MS)).toThrow(
      expect.objectContaining(matching(refusal)),
    );
  });

  test("is rejected in the collector's name", () => {
    const snapshot = snapshotOf({ collector: { name, version: '1' } });
    expect(() => judgeSnapshot(snapshot, NOW_MS)).toThrow("The collector's name must not");
  });

  test('is never created by a reader or accepted from a person', () => {
    expect([isLabel(name), labelOf(name)]).toEqual([false, null]);
    expect(ProfileChange.safeParse({ display_name: name }).success).toBe(false);
  });

  test('is still accepted in a log', () => {
    const record = aRecord({ source: { provider: name, model: name, tool: name } });
    expect(Label.safeParse(name).success).toBe(true);
    expect(StatementPayload.safeParse(aPayload({ records: [record] })).success).toBe(true);
  });
});

/** Matches a thrown error. */
function matching({ code, faults }: { code: string; faults: { pointer: string }[] }) {
  return {
    code,
    faults: faults.map((fault) => expect.objectContaining(fault) as unknown),
  };
}

test('a log with content that is no longer allowed in records can be read', () => {
  const record = aRecord({
    timestamp: `2026-03-01T00:00:00.${'0'.repeat(99)}Z`,
    warnings: Array(2000).fill('x'.repeat(2000)),
    context: { long: 'x'.repeat(100_000) },
  });

  expect(StatementPayload.safeParse(aPayload({ records: [record] })).success).toBe(true);
});

test.each(['I ❤️ tokens', '👩‍💻 and 👨‍👩‍👧', '1️⃣ first', '🏳️‍🌈', 'Zoë', '模型 ok'])(
  'texts in profiles can contain emoji: %s',
  (text) => {
    const change = { display_name: text, bio: `${text}\n${text}`, location: text };
    expect(ProfileChange.safeParse(change).success).toBe(true);
  },
);

test.each(['a\u200Db', 'x\uFE0F', '\u200D', 'a\u202Eb', '\uFE0F'])(
  'an invisible character outside of an emoji is rejected: %j',
  (text) => {
    expect(ProfileChange.safeParse({ bio: text }).success).toBe(false);
  },
);
