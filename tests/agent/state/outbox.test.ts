import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Outbox } from '#agent/state/outbox.ts';
import { receiptsIn } from '#agent/state/board-files.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const AT = '2026-03-10T12:00:00.000Z';
const RECEIPT = { log_index: 1, entry_hash: 'a', received_at: AT };

/** An outbox that has sent one bucket, opened again. */
function sentOnce(folder: string, device = 'device-1'): Outbox {
  new Outbox(folder, 'device-1').confirm(
    '1',
    { correction: null, buckets: [aBucket({ output: 100 })] },
    RECEIPT,
  );
  return new Outbox(folder, device);
}

describe('Outbox.unsent()', () => {
  test.each([
    ['a bucket that grew', aBucket({ output: 101 }), 1],
    ['a bucket of the same total with other parts', aBucket({ input: 1_200, output: 0 }), 1],
    ['a bucket of another day', aBucket({ day: '2026-03-02', output: 1 }), 1],
    ['an unchanged bucket', aBucket({ output: 100 }), 0],
    ['a bucket that shrank', aBucket({ output: 99 }), 0],
  ])('of %s', (_, bucket, count) => {
    expect(sentOnce(aFolder()).unsent([bucket])).toHaveLength(count);
  });

  test('treats everything as new for another device of the account', () => {
    const outbox = sentOnce(aFolder(), 'device-2');

    expect(outbox.unsent([aBucket({ output: 100 })])).toHaveLength(1);
  });
});

describe('Outbox.compare()', () => {
  test.each([
    ['the same', AT, 0],
    ['the same, spelled differently', '2026-03-10T13:00:00+01:00', 0],
    ['later', '2026-03-10T12:00:00.001Z', 0],
    ['earlier', '2026-03-10T11:59:59.999Z', 1],
    ['never', null, 1],
  ])('with a last submission that is %s', (_, last, count) => {
    const folder = aFolder();

    sentOnce(folder).compare(last);

    expect(new Outbox(folder, 'device-1').unsent([aBucket({ output: 100 })])).toHaveLength(count);
  });
});

describe('Outbox.pending()', () => {
  test('keeps envelopes, oldest first, until they are confirmed or dropped', () => {
    const folder = aFolder();
    const outbox = new Outbox(folder, 'device-1');
    outbox.add('3', 'third');
    outbox.add('1', 'first');
    outbox.add('2', 'second');

    outbox.confirm('1', { correction: null, buckets: [] }, RECEIPT);
    outbox.drop('3');

    expect(new Outbox(folder, 'device-1').pending()).toEqual([{ id: '2', envelope: 'second' }]);
  });

  test('skips a file that is deleted while the folder is read', () => {
    const folder = aFolder();
    const outbox = new Outbox(folder, 'device-1');
    outbox.add('2', 'second');
    symlinkSync('gone', join(folder, 'outbox', 'device-1', '1.json'));

    expect(outbox.pending()).toEqual([{ id: '2', envelope: 'second' }]);
  });
});

describe('Outbox.confirm()', () => {
  const ALL = { correction: null, buckets: [aBucket({ output: 100 })] };

  test('saves a receipt once', () => {
    const folder = aFolder();
    const outbox = new Outbox(folder, 'device-1');

    outbox.confirm('1', ALL, RECEIPT);
    outbox.confirm('1', ALL, RECEIPT);
    outbox.confirm('2', ALL, { ...RECEIPT, log_index: 2 });

    expect(receiptsIn(folder).map(({ log_index }) => log_index)).toEqual([1, 2]);
  });

  test('saves a receipt intact after a full disk truncated one', () => {
    const folder = aFolder({ 'receipts.ndjson': '{"log_index":1,"entry_' });

    new Outbox(folder, 'device-1').confirm('2', ALL, { ...RECEIPT, log_index: 2 });

    expect(receiptsIn(folder).map(({ log_index }) => log_index)).toEqual([2]);
  });

  test('keeps the envelope if the receipt cannot be saved', () => {
    const folder = aFolder({ 'receipts.ndjson/taken': '' });
    const outbox = new Outbox(folder, 'device-1');
    outbox.add('1', 'first');

    expect(() => outbox.confirm('1', ALL, RECEIPT)).toThrow('receipts.ndjson cannot be');
    expect(new Outbox(folder, 'device-1').pending()).toHaveLength(1);
    expect(new Outbox(folder, 'device-1').unsent(ALL.buckets)).toHaveLength(1);
  });

  test('replaces counts that a correction covers', () => {
    const outbox = new Outbox(aFolder(), 'device-1');
    const other = aBucket({ tool: 'codex' });
    const later = aBucket({ day: '2026-03-04' });
    const gone = aBucket({ model: 'unknown' });
    outbox.assumeSent({ correction: null, buckets: [...ALL.buckets, gone, other, later] });

    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-03' };
    outbox.assumeSent({ correction, buckets: [aBucket({ output: 50 })] });

    expect(outbox.unsent([aBucket({ output: 50 }), other, later])).toEqual([]);
    expect(outbox.unsent([gone])).toEqual([gone]);
    expect(outbox.loweredDays('claude-code', [later])).toEqual(['2026-03-01']);
  });
});

describe('Outbox.settleRules()', () => {
  test('survives a restored board, and does not apply to another device', () => {
    const folder = aFolder();
    sentOnce(folder).settleRules({ codex: 3 });

    new Outbox(folder, 'device-1').compare(null);

    expect(new Outbox(folder, 'device-1').rulesOf('codex')).toBe(3);
    expect(new Outbox(folder, 'device-1').rulesOf('claude-code')).toBeUndefined();
    expect(new Outbox(folder, 'device-2').rulesOf('codex')).toBeUndefined();
  });
});
