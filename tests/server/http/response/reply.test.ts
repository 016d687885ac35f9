import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Route, defineRoute } from '#core/contract/route.ts';
import { replyTo } from '#server/http/response/reply.ts';

const Row = z.strictObject({ text: z.string().nullable(), count: z.number().nullable() });
const Reply = z.strictObject({ entries: z.array(Row), next_cursor: z.string().nullable() });
const route = defineRoute('listDays', {
  auth: 'public',
  path: '/api/v1/rows/{name}/list',
  reply: Reply,
  table: { row: Row, rows: ({ entries }) => entries },
}) as unknown as Route;

const URL_ASKED = new URL('http://board.test/api/v1/rows/ada/list?format=csv&q=%20a&limit=2');
const body = (entries: z.infer<typeof Row>[], next_cursor: string | null = null) => ({
  entries,
  next_cursor,
});
const csvOf = (entries: z.infer<typeof Row>[]) =>
  replyTo(route, { body: body(entries) }, { url: URL_ASKED, format: 'csv' }).text();

describe('replyTo()', () => {
  test('writes JSON that caches may store', async () => {
    const answer = replyTo(route, { body: body([]) }, { url: URL_ASKED, format: 'json' });

    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
    });
    expect(await answer.json()).toEqual(body([]));
  });

  test('writes the media type of the route', () => {
    const replyType = 'application/vnd.dsse.envelope.v1+json';
    const answer = replyTo(
      { ...route, replyType },
      { body: {} },
      { url: URL_ASKED, format: 'json' },
    );

    expect(answer.headers.get('content-type')).toBe(replyType);
  });

  test('forbids caching private responses', () => {
    const own = { ...route, cacheSeconds: 0, statuses: [201] } as Route;
    const answer = replyTo(own, { body: {} }, { url: URL_ASKED, format: undefined });

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  });

  test.each(['json', 'csv'])('links the next page of %s with the original query', (format) => {
    const answer = replyTo(route, { body: body([], 'a+b/c') }, { url: URL_ASKED, format });

    expect(answer.headers.get('link')).toBe(
      '</api/v1/rows/ada/list?format=csv&q=+a&limit=2&cursor=a%2Bb%2Fc>; rel="next"',
    );
  });

  test('replaces the cursor of this page', () => {
    const url = new URL('http://board.test/api/v1/rows?cursor=1&limit=2');
    const answer = replyTo(route, { body: body([], '3') }, { url, format: 'json' });

    expect(answer.headers.get('link')).toBe('</api/v1/rows?cursor=3&limit=2>; rel="next"');
  });
});

describe('CSV', () => {
  test('has its media type, a name and a header row, even without rows', async () => {
    const answer = replyTo(route, { body: body([]) }, { url: URL_ASKED, format: 'csv' });

    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="rows-ada-list.csv"',
      'cache-control': 'public, max-age=60',
    });
    expect(await answer.text()).toBe('text,count\r\n');
  });

  test('ends every line with CRLF and quotes only what needs it', async () => {
    const rows = [
      { text: 'a', count: 1.5 },
      { text: 'a,"b"', count: null },
      { text: null, count: 0 },
    ];

    expect(await csvOf(rows)).toBe('text,count\r\na,1.5\r\n"a,""b""",\r\n,0\r\n');
  });

  test.each(['a\nb', 'a\rb', 'a\r\nb'])('quotes the line break in %j', async (text) => {
    expect(await csvOf([{ text, count: 1 }])).toBe(`text,count\r\n"${text}",1\r\n`);
  });

  test('writes booleans as words', async () => {
    const row = z.strictObject({ known: z.boolean() });
    const rows = () => [{ known: true }, { known: false }];
    const asked = { url: URL_ASKED, format: 'csv' };

    const answer = replyTo({ ...route, table: { row, rows } }, { body: {} }, asked);

    expect(await answer.text()).toBe('known\r\ntrue\r\nfalse\r\n');
  });

  test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])(
    'prevents spreadsheets from treating %j as a formula',
    async (text) => {
      const [, cells] = parse(await csvOf([{ text, count: -1.5 }])) as string[][];

      expect(cells).toEqual([`'${text}`, '-1.5']);
    },
  );

  test('is read back unchanged, whatever the text', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', ';', 'é', "'"),
    });
    const safe = text.map((value) => `a${value}`);
    const count = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text: safe, count }), { maxLength: 5 }),
        async (rows) => {
          const read = parse(await csvOf(rows), {
            columns: true,
            record_delimiter: '\r\n',
            relax_column_count: false,
          }) as Record<string, string>[];
          expect(read).toEqual(rows.map((row) => ({ text: row.text, count: String(row.count) })));
        },
      ),
    );
  });
});
