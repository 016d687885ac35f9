import { expect, test } from 'vitest';
import { RecentMemo } from '#server/process/recent-memo.ts';

test('computes a value once for each owner, and evicts the least recently read one', () => {
  const memo = new RecentMemo<object, string>(2);
  const [owner, other] = [{}, {}];
  const made: string[] = [];
  const read = (key: string, of: object = owner) =>
    memo.read(of, key, () => {
      made.push(key);
      return key;
    });

  expect(['a', 'b', 'a', 'c', 'a', 'b'].map((key) => read(key))).toEqual([
    'a',
    'b',
    'a',
    'c',
    'a',
    'b',
  ]);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  read('a', other);
  expect(made.at(-1)).toBe('a');
});

test('caches an asynchronous value when it is ready, and no failure', async () => {
  const memo = new RecentMemo<object, string>(2);
  const owner = {};
  const failing = () => Promise.reject(new Error('no'));

  await expect(memo.readLater(owner, 'a', failing)).rejects.toThrow('no');
  expect(await memo.readLater(owner, 'a', () => Promise.resolve('A'))).toBe('A');
  expect(await memo.readLater(owner, 'a', failing)).toBe('A');
});
