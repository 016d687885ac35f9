import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { logIn } from '#db/log.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDatabase } from '#tests/support/board/database.ts';

function aLog() {
  const log = logIn(aDatabase());
  const append = (payload: object, kind: 'enroll' | 'ruleset' = 'ruleset', now = NOW) =>
    log.append({ kind, operator_id: null, payload, now: new Date(now) });
  return { log, append };
}

const sha256 = (...parts: (Uint8Array | string)[]) =>
  parts
    .reduce<ReturnType<typeof createHash>>((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex');

describe('append()', () => {
  test('chains each entry to the one before, the first to zeros', () => {
    const { log, append } = aLog();

    const entries = [append({ a: 'é' }), append({ b: 2 }, 'enroll'), append({ c: 3 })];

    expect(entries.map(({ log_index }) => log_index)).toEqual([1, 2, 3]);
    expect(entries.map(({ previous }) => previous)).toEqual([
      '0'.repeat(64),
      entries[0]?.entry_hash,
      entries[1]?.entry_hash,
    ]);
    expect(log.head()).toEqual({
      index: 3,
      received_at: NOW,
      entry_hash: entries[2]?.entry_hash,
    });
  });

  test('hashes index, kind, previous hash, instant and the salted payload', () => {
    const { append } = aLog();
    append({ first: true });

    const { previous, salt, payload, entry_hash, payload_digest } = append({ a: 'é' }, 'enroll');
    const digest = sha256(salt, Buffer.from('{"a":"é"}'));

    expect(Buffer.from(payload).toString()).toBe('{"a":"é"}');
    expect(salt).toHaveLength(32);
    expect(payload_digest).toBe(digest);
    expect(entry_hash).toBe(sha256(`2\nenroll\n${previous}\n${NOW}\n${digest}\n`));
  });

  test('never goes back in time, even if the clock does', () => {
    const { append } = aLog();
    const earlier = new Date(Date.parse(NOW) - 3_600_000).toISOString();
    const later = new Date(Date.parse(NOW) + 1).toISOString();

    const instants = [NOW, earlier, earlier, later, NOW].map(
      (now) => append({}, 'ruleset', now).received_at,
    );

    expect(instants).toEqual([NOW, NOW, NOW, later, later]);
  });

  test('salts equal payloads differently', () => {
    const { append } = aLog();

    expect(append({ a: 1 }).payload_digest).not.toBe(append({ a: 1 }).payload_digest);
  });

  test('stores what it returns', () => {
    const { log, append } = aLog();
    const { packed, ...entry } = append({ a: 1 });

    expect(log.at(1)).toEqual(entry);
    expect(packed).toMatchObject({ entry_hash: entry.entry_hash, content: entry.payload });
    expect(log.at(2)).toBeUndefined();
  });
});

describe('appendLost()', () => {
  test('enters an entry with its exact hash and without its contents', () => {
    const [theirs, own] = [aLog(), aLog()];
    const [first, second] = [theirs.append({ a: 1 }), theirs.append({ a: 2 })];
    const leafOf = ({ log_index: index, ...entry }: typeof first) => ({ index, ...entry });

    expect(own.log.appendLost(leafOf(second))).toBe(false);
    expect([first, second].map(leafOf).map(own.log.appendLost)).toEqual([true, true]);
    expect(own.log.appendLost(leafOf(second))).toBe(false);

    expect(own.log.at(2)).toMatchObject({
      entry_hash: second.entry_hash,
      payload_digest: second.payload_digest,
      salt: null,
      payload: null,
      operator_id: null,
    });
    expect(own.append({ a: 3 })).toMatchObject({ log_index: 3, previous: second.entry_hash });
    expect(own.log.lastOfKind('ruleset')?.log_index).toBe(3);
  });

  test('does not continue another log', () => {
    const [theirs, own] = [aLog(), aLog()];
    theirs.append({ a: 1 });
    own.append({ a: 1 });
    const { log_index: index, ...entry } = theirs.append({ a: 2 });

    expect(own.log.appendLost({ index, ...entry })).toBe(false);
    expect(own.log.head()?.index).toBe(1);
  });
});

describe('after()', () => {
  test('pages in order', () => {
    const { log, append } = aLog();
    [1, 2, 3, 4, 5].forEach((n) => append({ n }));

    expect(log.after(0, 2).map(({ log_index }) => log_index)).toEqual([1, 2]);
    expect(log.after(2, 10).map(({ log_index }) => log_index)).toEqual([3, 4, 5]);
    expect(log.after(5, 10)).toEqual([]);
  });
});

describe('lastOfKind()', () => {
  test('finds the newest of a kind', () => {
    const { log, append } = aLog();
    append({ n: 1 });
    append({ n: 2 });
    append({ n: 3 }, 'enroll');

    expect(log.lastOfKind('ruleset')?.log_index).toBe(2);
    expect(log.lastOfKind('erase')).toBeUndefined();
  });
});
