import { describe, expect, test } from 'vitest';
import { type PreparedResponse, prepare } from '#server/http/response/prepared-response.ts';
import { Pages } from '#server/publication/pages.ts';

/** Pages, and the addresses of those that had to be made. */
function somePages() {
  const pages = new Pages();
  const made: string[] = [];
  const read = (address: string, status = 200): Promise<PreparedResponse> =>
    pages.read(address, async () => {
      made.push(address);
      return prepare(Buffer.from(address), {}, status);
    });
  return { pages, made, read };
}

describe('Pages', () => {
  test('renders a page once for concurrent requests', async () => {
    const { made, read } = somePages();

    const same = await Promise.all([1, 2, 3].map(() => read('/a')));

    expect(new Set(same).size).toBe(1);
    expect(made).toEqual(['/a']);
  });

  test('knows which pages were read', async () => {
    const { pages, read } = somePages();
    pages.add('/unread', await prepare(Buffer.from('x'), {}));
    pages.add('/read', await prepare(Buffer.from('x'), {}));

    pages.find('/read');
    await read('/made');
    await read('/missing', 404);

    const all = ['/unread', '/read', '/made', '/missing', '/never'];
    expect(all.filter((address) => pages.isRead(address))).toEqual(['/read', '/made']);
  });

  test('keeps only pages with status 200', async () => {
    const { made, read } = somePages();

    await read('/a', 404);
    await read('/a');
    await read('/a');

    expect(made).toEqual(['/a', '/a']);
  });

  test('does not keep a failure', async () => {
    const { pages, made, read } = somePages();
    const failing = pages.read('/a', () => Promise.reject(new Error('broken')));

    await expect(failing).rejects.toThrow('broken');
    await read('/a');

    expect(made).toEqual(['/a']);
  });

  test('keeps everything if a requested page does not exist', async () => {
    const { made, read } = somePages();
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/none/${at}`, 404)));
    made.length = 0;

    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));

    expect(made).toEqual([]);
  });

  test('drops the least recently read beyond 64 MiB', async () => {
    const pages = new Pages();
    const made: string[] = [];
    const page = await prepare(Buffer.from('x'), {});
    const bytes = Buffer.alloc(10 * 1024 * 1024);
    const read = (address: string) =>
      pages.read(address, async () => {
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
    const { made, read } = somePages();
    await Promise.all(Array.from({ length: 500 }, (_, at) => read(`/${at}`)));
    await read('/0');
    await read('/500');
    made.length = 0;

    await read('/0');
    await read('/1');

    expect(made).toEqual(['/1']);
  });
});
