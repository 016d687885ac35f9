import { describe, expect, test } from 'vitest';
import type { Machine } from '#server/admin/upgrade/machine.ts';
import {
  type Answer,
  CAN_RUN,
  NEW,
  OLD,
  aProgram,
  aRelease,
  anInstallation,
  fileOf,
  onServer,
} from '#tests/support/board/upgrade.ts';

const PASSWORD = 's3cr3t:ö';
const withPassword = (address: string) =>
  address.replace('//', `//ada:${encodeURIComponent(PASSWORD)}@`);

/** Runs an upgrade from a server that answers some requests in its own way. */
async function upgraded(answer: Answer, changes: Partial<Machine> = {}) {
  const { upgrade, state } = anInstallation(changes);
  const place = withPassword(await onServer(aRelease(), answer));
  const { status, stdout, stderr } = await upgrade(place);
  expect(stdout + stderr).not.toMatch(/s3cr3t/);
  return { status, stderr, files: state() };
}

describe.runIf(CAN_RUN)('a folder of releases on a server', () => {
  test('receives the password, and sends files without compression', async () => {
    const seen = new Set<string>();
    const { status } = await upgraded(({ headers }, _, next) => {
      seen.add(`${headers.authorization} ${headers['accept-encoding']}`);
      next();
    });

    const pair = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    expect([status, [...seen]]).toEqual([0, [`Basic ${pair} identity`]]);
  });

  test('can be any folder of the server, with or without a slash at the end', async () => {
    const asked = new Set<string>();
    const server = await onServer(aRelease(), ({ url = '' }, _, next) => {
      asked.add(url);
      next();
    });
    for (const end of ['a/b', 'a/b/']) {
      const { upgrade, state } = anInstallation();
      expect((await upgrade(server + end)).status).toBe(0);
      expect(state()).toEqual(NEW);
    }
    expect([...asked]).toEqual(
      ['SHA256SUMS', 'SHA256SUMS.minisig', 'RELEASE_NOTES.md', fileOf('1.3.0')].map(
        (name) => `/a/b/${name}`,
      ),
    );
  });

  test('may redirect to another server, which does not receive the password', async () => {
    const seen: unknown[] = [];
    const mirror = await onServer(aRelease(), ({ headers }, _, next) => {
      seen.push(headers.authorization);
      next();
    });
    const { status, files } = await upgraded(({ url = '' }, response) => {
      response.writeHead(302, { location: withPassword(mirror) + url.slice(1) }).end();
    });

    expect([status, files]).toEqual([0, NEW]);
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('may not redirect forever', async () => {
    const { status, stderr, files } = await upgraded(({ url = '' }, response) => {
      response.writeHead(307, { location: url }).end();
    });
    expect([status, stderr]).toEqual([3, expect.stringContaining('redirects more than 5 times')]);
    expect(files).toEqual(OLD);
  });

  test.each(['http://releases.example.org/?token=s3cr3t', 'ftp://releases.example.org/', '//'])(
    'may not redirect from https to %s',
    async (location) => {
      const redirect = () =>
        Promise.resolve(new Response(null, { status: 301, headers: { location } }));
      const { upgrade, state } = anInstallation({ fetch: redirect });

      const { status, stderr } = await upgrade('https://releases.example.org/');

      expect([status, stderr]).toEqual([
        3,
        'opbench-board: https://releases.example.org redirects to an address without https. Check UPDATE_URL\n',
      ]);
      expect(state()).toEqual(OLD);
    },
  );

  test.each([
    [500, 3, 'returns 500. Check UPDATE_URL, or try again later'],
    [401, 3, 'returns 401. Check the user and the password in UPDATE_URL'],
    [403, 3, 'returns 403. Check the user and the password in UPDATE_URL'],
    [304, 3, 'returns 304'],
    [302, 3, 'returns 302'],
    [410, 1, 'There is no SHA256SUMS in http://127.0.0.1:'],
  ])('that returns %i', async (code, exit, words) => {
    const { status, stderr } = await upgraded((_, response) => {
      response.writeHead(code).end();
    });
    expect([status, stderr]).toEqual([exit, expect.stringContaining(words)]);
  });

  test.each(['SHA256SUMS', 'SHA256SUMS.minisig', 'RELEASE_NOTES.md'])(
    'may not send an endless %s',
    async (name) => {
      const { status, stderr, files } = await upgraded(({ url }, response, next) => {
        if (url !== `/${name}`) return next();
        const more = () => {
          while (response.write('a'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      });
      expect([status, stderr]).toEqual([3, expect.stringContaining(`${name} is larger than`)]);
      expect(files).toEqual(OLD);
    },
  );

  test('that sends nothing is given up', async () => {
    const { status, stderr } = await upgraded(() => undefined, { idleMs: 50 });
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('/SHA256SUMS sent nothing for 0.05 seconds. Check the network'),
    ]);
  });

  test('that stops in the middle of a file is given up', async () => {
    const { status, stderr, files } = await upgraded(
      ({ url }, response, next) => {
        if (url !== `/${fileOf('1.3.0')}`) return next();
        response.writeHead(200, { 'content-length': '1000' }).write('#!/bin/sh\n');
      },
      { idleMs: 200 },
    );
    expect([status, stderr]).toEqual([3, expect.stringContaining('sent nothing for 0.2 seconds')]);
    expect(files).toEqual(OLD);
  });

  test('that breaks the connection in the middle of a file is reported', async () => {
    const { status, stderr, files } = await upgraded(({ url }, response, next) => {
      if (url !== `/${fileOf('1.3.0')}`) return next();
      response.writeHead(200, { 'content-length': '1000' });
      response.write(aProgram('1.3.0'), () => response.destroy());
    });
    expect([status, stderr]).toEqual([3, expect.stringContaining('cannot be read')]);
    expect(stderr).toContain('run the command again');
    expect(files).toEqual(OLD);
  });
});
