import { describe, expect, test } from 'vitest';
import { type Finished, finish } from '#server/finished.ts';
import { PageMemo } from '#server/publication/page-memo.ts';

function aMemo() {
  const memo = new PageMemo<object>();
  const made: string[] = [];
  const make =
    (address: string, status = 200) =>
    async (): Promise<Finished> => {
      made.push(address);
      return finish(Buffer.from(address), {}, status);
    };
  return { memo, made, make };
}

describe('PageMemo', () => {
  test('makes a page once, however many ask at the same time', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};

    const pages = await Promise.all([1, 2, 3].map(() => memo.read(edition, '/a', make('/a'))));

    expect(new Set(pages).size).toBe(1);
    expect(made).toEqual(['/a']);
  });

  test('forgets its pages with the edition', async () => {
    const { memo, made, make } = aMemo();

    await memo.read({}, '/a', make('/a'));
    await memo.read({}, '/a', make('/a'));

    expect(made).toEqual(['/a', '/a']);
  });

  test('does not keep what is no 200', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};

    await memo.read(edition, '/a', make('/a', 404));
    await memo.read(edition, '/a', make('/a'));
    await memo.read(edition, '/a', make('/a'));

    expect(made).toEqual(['/a', '/a']);
  });

  test('does not keep a failure', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};
    const failing = memo.read(edition, '/a', () => Promise.reject(new Error('broken')));

    await expect(failing).rejects.toThrow('broken');
    await memo.read(edition, '/a', make('/a'));

    expect(made).toEqual(['/a']);
  });

  test('forgets the least recently read of more than 500 pages', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};
    const read = (address: string) => memo.read(edition, address, make(address));
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));
    await read('/0');
    await read('/500');
    made.length = 0;

    await read('/0');
    await read('/1');

    expect(made).toEqual(['/1']);
  });
});
