import { describe, expect, test } from 'vitest';
import { type Health, answerProbe, readinessOf } from '#server/http/health.ts';
import { type Asked, loopback } from '#tests/support/http/loopback.ts';

const FINE: Health = {
  process: 'ok',
  database: 'ok',
  publication: { age_s: 7, stale: false, differed: false },
  backup: null,
  checkpoint: null,
  witnesses: null,
  object_store: null,
};

/** Probes a process in this state. Requests that are not probes get 299. */
async function ask(asked: Asked, condition: Partial<Health> = {}) {
  const send = await loopback((request, response) => {
    const probe = { request, response, requestId: 'the-id', baseUrl: 'https://bench.example' };
    if (!answerProbe(probe, () => ({ ...FINE, ...condition }))) response.writeHead(299).end();
  });
  const { status, headers, bytes } = await send(asked);
  return { status, headers, text: bytes.toString() };
}

const bodyOf = ({ text }: { text: string }) => JSON.parse(text) as object;

describe('answerProbe()', () => {
  test.each(['starting', 'stopping', 'ok'] as const)(
    'reports a live process while it is %s',
    async (process) => {
      const answer = await ask({ target: '/healthz' }, { process, publication: null });

      expect([answer.status, bodyOf(answer)]).toEqual([200, { status: 'ok' }]);
    },
  );

  test('reports that it can serve, under any host name, and forbids caching', async () => {
    const answer = await ask({ target: '/readyz?x', headers: { Host: '10.0.0.7:80' } });

    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({
      status: 'ready',
      checks: {
        process: 'ok',
        database: 'ok',
        publication: 'ok',
        backup: 'off',
        checkpoint: 'none',
        witnesses: 'off',
        object_store: 'off',
      },
      publication_age_s: 7,
      backup_age_s: null,
      object_store_age_s: null,
      reasons: [],
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-request-id': 'the-id',
      'strict-transport-security': expect.any(String) as string,
    });
  });

  test('responds to HEAD with the headers of GET', async () => {
    const get = await ask({ target: '/readyz' });
    const head = await ask({ target: '/readyz', method: 'HEAD' });

    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'rejects %s and lists the allowed methods',
    async (method) => {
      const answer = await ask({ target: '/healthz', method, body: method === 'POST' ? 'x' : '' });

      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
      expect(bodyOf(answer)).toMatchObject({ code: 'method_not_allowed' });
    },
  );

  test.each(['/healthz/', '/readyzz', '/x/healthz', '/', '/%72eadyz'])(
    'ignores %s',
    async (target) => {
      expect((await ask({ target })).status).toBe(299);
    },
  );
});

describe('readinessOf()', () => {
  test.each([
    [{ process: 'starting' }, 'The board is starting'],
    [{ process: 'stopping' }, 'The board is stopping'],
    [{ database: 'damaged' }, 'The database is damaged. Restore a backup'],
    [{ publication: null }, 'Nothing is published yet'],
    [
      { process: 'fenced' },
      'Another machine became the writer of this board. Stop this server, and remove it from the load balancer',
    ],
  ] as const)('is unavailable with %j, and gives the reason', (condition, reason) => {
    expect(readinessOf({ ...FINE, ...condition })).toMatchObject({
      status: 'unavailable',
      reasons: [reason],
    });
  });

  test('stays ready with a stale publication, and gives the reason', () => {
    const publication = { age_s: 4000, stale: true, differed: false };
    expect(readinessOf({ ...FINE, publication })).toEqual({
      status: 'ready',
      checks: {
        process: 'ok',
        database: 'ok',
        publication: 'stale',
        backup: 'off',
        checkpoint: 'none',
        witnesses: 'off',
        object_store: 'off',
      },
      publication_age_s: 4000,
      backup_age_s: null,
      object_store_age_s: null,
      reasons: [expect.stringContaining('out of date') as string],
    });
  });

  test('stays ready after a difference, and says what to do', () => {
    const publication = { age_s: 7, stale: false, differed: true };
    expect(readinessOf({ ...FINE, publication })).toMatchObject({
      status: 'ready',
      checks: { publication: 'ok' },
      reasons: [expect.stringContaining('operators_differ') as string],
    });
  });

  test.each([
    ['ok', 60, []],
    ['failed', null, ['The last backup failed. The server log says why']],
    ['late', 172_801, ['The newest backup is more than two days old']],
  ] as const)('stays ready if its backup is %s, and says so', (state, age_s, reasons) => {
    expect(readinessOf({ ...FINE, backup: { state, age_s } })).toMatchObject({
      status: 'ready',
      checks: { backup: state },
      backup_age_s: age_s,
      reasons,
    });
  });

  test.each([
    ['ok', 3, []],
    ['starting', null, []],
    ['failing', 600, [expect.stringContaining('The object store cannot be reached')]],
  ] as const)('stays ready if its object store is %s, and says so', (state, age_s, reasons) => {
    expect(readinessOf({ ...FINE, object_store: { state, age_s } })).toMatchObject({
      status: 'ready',
      checks: { object_store: state },
      object_store_age_s: age_s,
      reasons,
    });
  });

  test.each([
    ['a confirmed reader', 'ok', {}, 'ready', []],
    ['a reader without a writer', 'ok', { writer: null }, 'ready', []],
    [
      'a reader whose writer is down',
      'ok',
      { writer: 'unreachable' },
      'ready',
      ['The machine at WRITER_URL did not answer the last request'],
    ],
    [
      'a reader that passes requests on to a reader',
      'ok',
      { writer: 'loop' },
      'ready',
      [expect.stringContaining('WRITER_URL leads to a reader')],
    ],
    [
      'a reader that is cut off',
      'failing',
      {},
      'unavailable',
      [expect.stringContaining('so it shows nothing')],
    ],
  ] as const)('of %s', (_, state, own, status, reasons) => {
    const reader = { passesAll: false, writer: 'ok', ...own } as const;
    const object_store = { state, age_s: 1 };
    expect(readinessOf({ ...FINE, object_store, reader })).toMatchObject({ status, reasons });
  });

  test('a reader of a board for members is ready without a publication', () => {
    const object_store = { state: 'ok', age_s: 1 } as const;
    const none = { ...FINE, publication: null, object_store };
    const reader = { passesAll: true, writer: 'ok' } as const;
    expect(readinessOf({ ...none, reader })).toMatchObject({ status: 'ready', reasons: [] });
    const open = { ...reader, passesAll: false };
    expect(readinessOf({ ...none, reader: open })).toMatchObject({ status: 'unavailable' });
  });
});
