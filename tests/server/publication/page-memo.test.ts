import { describe, expect, test } from 'vitest';
import { type PreparedResponse, prepare } from '#server/http/response/prepared-response.ts';
import { PageMemo } from '#server/publication/lookup.ts';

function aMemo() {
  const memo = new PageMemo<object>();
  const made: string[] = [];
  const make =
    (address: string, status = 200) =>
    async (): Promise<PreparedResponse> => {
      made.push(address);
      return prepare(Buffer.from(address), {}, status);
    };
  return { memo, made, make };
}

describe('PageMemo', () => {
  test('renders a page once for concurrent requests', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};

    const pages = await Promise.all([1, 2, 3].map(() => memo.read(edition, '/a', make('/a'))));

    expect(new Set(pages).size).toBe(1);
    expect(made).toEqual(['/a']);
  });

  test('drops its pages with the edition', async () => {
    const { memo, made, make } = aMemo();

    await memo.read({}, '/a', make('/a'));
    await memo.read({}, '/a', make('/a'));

    expect(made).toEqual(['/a', '/a']);
  });

  test('keeps only pages with status 200', async () => {
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

  test('keeps everything if a requested page does not exist', async () => {
    const { memo, made, make } = aMemo();
    const edition = {};
    const read = (address: string, status?: number) =>
      memo.read(edition, address, make(address, status));
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/none/${at}`, 404)));
    made.length = 0;

    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));

    expect(made).toEqual([]);
  });

  test('drops the least recently read beyond 64 MiB', async () => {
    const memo = new PageMemo<object>();
    const edition = {};
    const made: string[] = [];
    const page = await prepare(Buffer.from('x'), {});
    const bytes = Buffer.alloc(10 * 1024 * 1024);
    const read = (address: string) =>
      memo.read(edition, address, async () => {
        made.push(address);
        const encodings = { ...page.encodings, identity: { ...page.encodings.identity, bytes } };
        return { ...page, encodings };
      });
    for (const at of [0, 1, 2, 3, 4, 5, 0, 6]) await read(`/${at}`);
    made.length = 0;

    for (const at of [0, 2, 3, 4, 5, 6]) await read(`/${at}`);
    expect(made).toEqual([]);
    await read('/1');
    expect(made).toEqual(['/1']);
  });

  test('drops the least recently read beyond 500 pages', async () => {
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
