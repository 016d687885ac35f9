import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { toBase64 } from '#core/domain/text/base64.ts';
import { seal } from '#core/domain/signing/dsse.ts';
import { BOARD_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import { PUBLIC_LOG_PAYLOAD_TYPE, type StandingLine } from '#core/schema/public-log.ts';
import { aDevice } from '#tests/support/board/builders.ts';
import type { TestContext } from '#tests/support/board/context.ts';
import {
  type ForgedEntry,
  aSmallLog,
  forge,
  forgeLog,
  lineOf,
  signAnew,
  verify,
} from '#tests/support/board/public-log.ts';

let ctx: TestContext;
let lines: string[];

/** Created once. No test changes it. */
let made: ReturnType<typeof aSmallLog> | null = null;
beforeEach(async () => {
  made ??= aSmallLog();
  ({ ctx, lines } = await made);
});

/** The index of the first line that contains a text. */
const at = (text: string) => lines.findIndex((line) => line.includes(text));
/** The lines with one of them changed. */
const withLine = (index: number, text: string) => lines.with(index, text);

/** The same numbers every time. */
function numbers(seed: string, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE(),
  );
}

describe('a changed byte', () => {
  test('is found in its line, wherever it is', () => {
    const bytes = Buffer.from(lines.join(''));
    for (const number of numbers('byte', 150)) {
      const place = number % bytes.length;
      const changed = Buffer.from(bytes);
      changed[place] = (bytes[place] as number) ^ (1 << (number >>> 29));
      const line = bytes.subarray(0, place).toString().split('\n').length;
      const { findings } = verify([changed.toString('latin1')]);

      expect(findings.map((finding) => finding.line)).toContain(line);
    }
  });
});

describe('lines', () => {
  test.each(['entry', 'standing', 'board_key'])('of %s cannot change places', (name) => {
    const first = at(`{"line":"${name}"`);
    const second = name === 'board_key' ? first + 1 : first + 2;
    const [a = '', b = ''] = [lines[first], lines[second]];
    const swapped = signAnew(ctx, lines.with(first, b).with(second, a));

    expect(verify(swapped).findings.length).toBeGreaterThan(0);
  });

  test.each(['header', 'board_key', 'entry', 'board', 'standing', 'end'])(
    'of %s can be neither left out nor repeated',
    (name) => {
      const index = at(`{"line":"${name}"`);
      const without = lines.toSpliced(index, 1);
      const twice = lines.toSpliced(index, 0, lines[index] as string);

      expect(verify(without).findings.length).toBeGreaterThan(0);
      expect(verify(twice).findings.length).toBeGreaterThan(0);
    },
  );

  test('have only one spelling', () => {
    const index = at('"line":"standing"');
    const text = (lines[index] as string).replace('"tool":null', '"tool": null');

    expect(verify(withLine(index, text)).findings[0]).toMatchObject({
      code: 'line_unreadable',
      line: index + 1,
    });
  });

  test('that are missing at the end are noticed', () => {
    for (const length of [0, 1, 5, lines.length - 1]) {
      expect(verify(lines.slice(0, length)).codes).toContain('file_incomplete');
    }
  });

  test('after the end are rejected', () => {
    const { findings } = verify([...lines, lines.at(-2) as string]);
    expect(findings).toMatchObject([{ code: 'line_misplaced', line: lines.length + 1 }]);
  });
});

describe('a row that the board itself has forged', () => {
  const row = () => at('"line":"standing"');
  type Windows = Record<string, Record<string, (number | null)[]>>;
  const forged = (change: (windows: Windows) => void) => {
    const text = forge(lines[row()] as string, (line) => change(line['windows'] as Windows));
    return verify(signAnew(ctx, withLine(row(), text))).findings;
  };

  test('is reported with the stated and the recomputed value', () => {
    const findings = forged((windows) => {
      (windows['30d']?.['yield'] as number[])[1] = 5;
    });
    const { windows, operator } = lineOf<StandingLine>(lines[row()] as string);

    expect(findings).toEqual([
      {
        code: 'standing',
        line: row() + 1,
        name: 'ada',
        operator,
        as_of: '2026-03-10',
        trust: 'signed',
        tool: null,
        window: '30d',
        metric: 'yield',
        stated: 5,
        recomputed: windows['30d']?.yield[1],
        message: `the current board of 2026-03-10: ada (all tools), 30d yield: value is stated as 5, recomputed ${windows['30d']?.yield[1]}`,
      },
    ]);
  });

  test.each([
    ['a last digit', (places: (number | null)[]) => (places[2] = Number(places[2]) * (1 + 1e-15))],
    ['an upper end', (places: (number | null)[]) => (places[3] = null)],
    ['a rank', (places: (number | null)[]) => (places[0] = 2)],
    ['no rank', (places: (number | null)[]) => (places[0] = null)],
  ])('is found by %s', (_, change) => {
    const findings = forged((windows) => change(windows['7d']?.['velocity'] as number[]));
    expect(findings).toMatchObject([{ name: 'ada', window: '7d', metric: 'velocity' }]);
  });

  test('cannot belong to another operator, or to none', () => {
    const other = lineOf<StandingLine>(lines[row() + 1] as string).operator;
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const operator of [other, nobody, null]) {
      const text = forge(lines[row()] as string, (line) => (line['operator'] = operator));
      const { findings } = verify(signAnew(ctx, withLine(row(), text)));
      expect(findings.map(({ code }) => code)).toContain('row_missing');
    }
  });

  test('cannot have another name', () => {
    const text = forge(lines[row()] as string, (line) => (line['name'] = 'adam'));
    expect(verify(signAnew(ctx, withLine(row(), text))).findings).toMatchObject([
      { code: 'row_stated', name: 'adam' },
    ]);
  });

  test('cannot be left out', () => {
    const board = forge(lines[row() - 1] as string, (line) => (line['rows'] = 3));
    const without = lines.with(row() - 1, board).toSpliced(row(), 1);

    expect(verify(signAnew(ctx, without)).findings).toMatchObject([
      { code: 'row_missing', name: 'ada' },
    ]);
  });
});

describe('a board that differs from the log', () => {
  test.each([
    ['tools', []],
    ['self_reported', true],
    ['ruleset', '1'],
    ['as_of', '2026-03-20'],
    ['log_index', 3],
  ])('is found by its %s', (name, value) => {
    const index = at('"line":"board"');
    const text = forge(lines[index] as string, (line) => (line[name] = value));
    expect(verify(signAnew(ctx, withLine(index, text))).findings.length).toBeGreaterThan(0);
  });
});

describe('an entry', () => {
  test('whose hash was changed on the board and in the file breaks the chain', () => {
    const index = at('"kind":"snapshot"');
    const text = forge(lines[index] as string, (line) => (line['entry_hash'] = 'f'.repeat(64)));
    const { findings } = verify(signAnew(ctx, withLine(index, text)));

    expect(findings.map(({ code, line }) => [code, line])).toEqual([
      ['entry_hash', index + 1],
      ['receipt_invalid', index + 1],
      ['entry_hash', index + 2],
    ]);
  });

  test('with a withheld payload removes the rows of its operator', () => {
    const index = at('"kind":"snapshot"');
    const text = forge(lines[index] as string, (line) => {
      line['salt'] = line['payload'] = line['receipt'] = null;
    });
    const codes = verify(signAnew(ctx, withLine(index, text))).codes;
    expect(new Set(codes)).toEqual(new Set(['standing', 'board_stated']));
  });

  test('without its receipt is found', () => {
    const index = at('"kind":"snapshot"');
    const text = forge(lines[index] as string, (line) => (line['receipt'] = null));
    expect(verify(signAnew(ctx, withLine(index, text))).codes).toEqual(['receipt_invalid']);
  });
});

describe('a log that its admin has forged', () => {
  const isOf = (kind: string) => (entry: ForgedEntry) => entry.kind === kind;
  const forgedBy = (change: (entries: ForgedEntry[]) => ForgedEntry[]) =>
    verify(forgeLog(ctx, lines, change)).codes;

  test('is valid as long as nothing is changed', () => {
    expect(forgedBy((entries) => entries)).toEqual([]);
  });

  test('cannot state counts that no device signed', () => {
    const codes = forgedBy((entries) => {
      return entries.map((entry) => (isOf('snapshot')(entry) ? withMoreOutput(entry) : entry));
    });
    expect(new Set(codes)).toEqual(new Set(['signature_invalid', 'standing']));
  });

  test('cannot accept signatures by a key that was not enrolled, or was revoked', () => {
    const unknown = forgedBy((entries) => entries.filter((entry) => !isOf('enroll')(entry)));
    const revoked = forgedBy((entries) => {
      const index = entries.findIndex(isOf('enroll'));
      const { payload } = entries[index] as ForgedEntry;
      const said = { ...JSON.parse(payload ?? ''), reason: 'logout' };
      return entries.toSpliced(index + 1, 0, { kind: 'revoke', payload: JSON.stringify(said) });
    });

    expect(unknown).toContain('key_unknown');
    expect(revoked).toEqual(['key_revoked']);
  });

  test('cannot give a key another ID, or enroll one twice', () => {
    const index = (entries: ForgedEntry[]) => entries.findIndex(isOf('enroll'));
    const renamed = forgedBy((entries) =>
      entries.map((entry) => {
        if (!isOf('enroll')(entry)) return entry;
        const public_key = 'A'.repeat(43);
        return {
          ...entry,
          payload: JSON.stringify({ ...JSON.parse(entry.payload ?? ''), public_key }),
        };
      }),
    );
    const twice = forgedBy((entries) =>
      entries.toSpliced(index(entries), 0, entries[index(entries)] as ForgedEntry),
    );

    expect(renamed).toContain('key_invalid');
    expect(twice).toEqual(['key_invalid']);
  });

  test('cannot add a board key without the one before', async () => {
    const stranger = await aDevice();
    const { keyid, public_key } = stranger;
    const statement = { keyid, public_key, previous: ctx.boardKey.keyid };
    const envelope = await stranger.seal(statement, BOARD_KEY_PAYLOAD_TYPE);
    const entry = { kind: 'board-key', payload: JSON.stringify(envelope) };

    expect(forgedBy((entries) => [...entries, entry])).toEqual(['signature_invalid']);
  });

  test.each(['erase', 'lost'])('cannot declare entries empty that are not, in a %s', (kind) => {
    const entry = { kind, payload: JSON.stringify({ entries: [[3, 4]] }) };
    expect(forgedBy((entries) => [...entries, entry])).toEqual(['payload_invalid']);
  });
});

/** A snapshot whose records state more output, with its original signature. */
function withMoreOutput({ kind, payload }: ForgedEntry): ForgedEntry {
  const envelope = JSON.parse(payload ?? '') as { payload: string };
  const stated = Buffer.from(envelope.payload, 'base64').toString();
  const more = stated.replaceAll('"output":10000', '"output":10001');
  return { kind, payload: JSON.stringify({ ...envelope, payload: toBase64(Buffer.from(more)) }) };
}

describe('the end', () => {
  test('is valid for no other key', async () => {
    const stranger = await aDevice();
    const { payload } = lineOf<{ signature: { payload: string } }>(
      lines.at(-1) as string,
    ).signature;
    const bytes = Buffer.from(payload, 'base64');
    const signature = await seal(PUBLIC_LOG_PAYLOAD_TYPE, bytes, stranger);
    const text = forge(lines.at(-1) as string, (line) => (line['signature'] = signature));

    expect(verify(withLine(lines.length - 1, text)).findings).toMatchObject([
      { code: 'end_invalid', line: lines.length },
    ]);
  });

  test('is signed for these lines only', () => {
    const index = at('"line":"standing"');
    const text = forge(lines[index] as string, (line) => (line['name'] = 'adam'));
    const { findings } = verify(withLine(index, text));

    expect(findings.map(({ code }) => code)).toEqual(['section', 'row_stated']);
    expect(findings[0]?.message).toContain('standing');
  });
});
