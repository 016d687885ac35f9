import { describe, expect, test } from 'vitest';
import { runBuilt } from '../support/http/process.ts';
import { type RunningServer, startServer } from '../support/http/server.ts';

/** Runs the admin's `key` beside a running server. */
const key = ({ dataDir }: RunningServer, ...args: string[]) =>
  runBuilt('opbench-board.mjs', ['key', ...args], { DATA_DIR: dataDir });

const read = ({ url }: RunningServer, text: string, query = '') =>
  fetch(`${url}/api/v1/leaderboard${query}`, { headers: { 'X-API-Key': text } });

describe('opbench-board key', () => {
  test('issues a key that the running server takes at once, and revokes it as fast', async () => {
    const server = await startServer({ env: { RATE_LIMIT_PUBLIC: '5' } });
    const issued = await key(server, 'issue', '--label', 'Export', '--per-minute', '900');
    const text = issued.stdout.trim();
    const [id = ''] = /(?<=ob_)[0-9a-f]{12}/.exec(text) ?? [];

    const before = await read(server, text, '?limit=1000');
    const revoked = await key(server, 'revoke', id);
    const after = await read(server, text);

    expect([issued.status, revoked.status]).toEqual([0, 0]);
    expect(issued.stdout).toMatch(/^ob_[0-9a-f]{12}_[\w-]{43}\n$/);
    expect([before.status, before.headers.get('ratelimit-limit')]).toEqual([200, '900']);
    expect([after.status, after.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(await after.json()).toMatchObject({ code: 'api_key_invalid' });
    expect(server.log()).not.toContain(text.slice(16));
  });

  test('lists all keys with their limits, and never a secret', async () => {
    const server = await startServer();
    const first = await key(server, 'issue', '--label', 'Export');
    await key(server, 'issue', '--label', 'Ürgent — 日本', '--per-minute', '1');

    const { stdout } = await key(server, 'list');
    const [head, ...rows] = stdout.trimEnd().split('\n');

    expect(head).toMatch(/^ID +LABEL +PER MINUTE +CREATED +REVOKED$/);
    expect(rows).toEqual([
      expect.stringMatching(/^[0-9a-f]{12} {2}Export +600 +20\S+Z$/),
      expect.stringMatching(/^[0-9a-f]{12} {2}Ürgent — 日本 +1 +20\S+Z$/),
    ]);
    expect(stdout).not.toContain(first.stdout.trim().slice(16));
  });

  test.each([
    [[], 'issue, list or revoke'],
    [['toString'], 'issue, list or revoke'],
    [['issue'], '--label'],
    [['issue', '--label', 'a', 'b'], 'key issue does not take "b"'],
    [['issue', '--label', 'a', '--per-minute', '0'], '--per-minute'],
    [['issue', '--label', 'a', '--per-minute', '1e3'], '--per-minute'],
    [['issue', '--label', 'a', '--colour', 'red'], 'key issue does not take --colour'],
    [['list', 'x'], 'key list does not take "x"'],
    [['revoke'], 'key revoke takes'],
  ])('says how it is used after %j', async (args, hint) => {
    const { status, stdout, stderr } = await runBuilt('opbench-board.mjs', ['key', ...args], {});

    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(hint);
  });

  test('refuses a label that no list could show, and an id that no key has', async () => {
    const server = await startServer();

    const label = await key(server, 'issue', '--label', 'a\u202Eb');
    const id = await key(server, 'revoke', '000000000000');

    expect([label.status, id.status]).toEqual([1, 3]);
    expect(id.stderr).toContain('There is no API key with the id "000000000000"');
  });
});
