import { describe, expect, test } from 'vitest';
import { runBuilt } from '#tests/support/http/process.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

/** Runs the admin's `key` command next to a running server. */
const key = ({ dataDir }: RunningServer, ...args: string[]) =>
  runBuilt('opbench-board.mjs', ['key', ...args], { DATA_DIR: dataDir });

const read = ({ url }: RunningServer, text: string, query = '') =>
  fetch(`${url}/api/v1/leaderboard${query}`, { headers: { 'X-API-Key': text } });

describe('opbench-board key', () => {
  test('issues a key that the running server accepts immediately, and revokes it as quickly', async () => {
    const server = await plainBoard();
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
});
