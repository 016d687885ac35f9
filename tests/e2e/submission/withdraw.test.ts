import { describe, expect, test } from 'vitest';
import type { Me } from '#core/contract/me.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type Installation,
  anInstallation,
  daysAgo,
  enroll,
} from '#tests/support/agent/installation.ts';
import { signInAsMcpClient } from '#tests/support/mcp/mcp-sign-in.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

const DAYS = [3, 2].map(daysAgo);
const COUNTS = { input: 1_000, output: 2_000, cache_write: 500, cache_read: 3_000 };

const board = sharedServer();

/** A device whose two days are on the board as one submission of an operator. */
async function aScene(codename: string) {
  const server = await board();
  const cookie = await server.signIn(codename);
  const device = anInstallation();
  for (const day of DAYS) device.logDay(day, COUNTS);
  await enroll(device, server.url, cookie);
  await device.run('submit');
  const list = JSON.parse((await device.run('withdraw', '--json')).stdout) as {
    submissions: { id: string; state: string }[];
  };
  const id = list.submissions[0]?.id ?? '';
  const change = async (what: string, headers: Record<string, string>) => {
    const path = `/api/v1/submissions/${id}/${what}`;
    const response = await fetch(server.url + path, { method: 'POST', headers });
    return { status: response.status, body: (await response.json()) as SubmissionDetail };
  };
  return { server, cookie, device, id, change };
}

const withdrawnDays = async (device: Installation) => {
  const { stdout } = await device.run('status', '--json');
  return (JSON.parse(stdout) as { boards: { withdrawn_days: string[] }[] }).boards[0]
    ?.withdrawn_days;
};

async function statesOf({ url }: RunningServer, id: string) {
  const answer = await fetch(`${url}/api/v1/submissions/${id}`);
  return ((await answer.json()) as SubmissionDetail).states;
}

describe('opbench withdraw', () => {
  test('withdraws, restores, withdraws again, and submits the days again on request', async () => {
    const { server, device, id } = await aScene('ada');

    const withdrawn = await device.run('withdraw', 'last');
    expect(withdrawn).toMatchObject({ status: 0 });
    expect(withdrawn.stdout).toContain('Withdrawn: 2 daily counts (');
    expect(await statesOf(server, id)).toMatchObject({ counting: 0, withdrawn: 2 });
    const status = await device.run('status');
    expect(status.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /2 days \(.+ and .+\) are withdrawn\. .*opbench submit --withdrawn/,
    );
    expect((await device.run('doctor')).stdout).toMatch(/2 days \(.+\) are withdrawn/);

    expect((await device.run('withdraw', id, '--undo')).stdout).toContain('They count again');
    expect(await statesOf(server, id)).toMatchObject({ counting: 2, withdrawn: 0 });
    expect(await withdrawnDays(device)).toEqual([]);
    expect((await device.run('submit')).stdout).toContain('nothing new to send');

    await device.run('withdraw', id);
    const plain = await device.run('submit');
    expect(plain.stdout).toContain('nothing new to send');
    expect(plain.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /are withdrawn\. .*opbench submit --withdrawn/,
    );
    expect(await withdrawnDays(device)).toEqual(DAYS);

    expect((await device.run('submit', '--withdrawn')).stdout).toContain('2 daily counts accepted');
    expect(await withdrawnDays(device)).toEqual([]);
    const [newest, first] = await listed(device);
    expect(newest).toMatchObject({ state: 'accepted' });
    expect(first).toMatchObject({ id, state: 'withdrawn' });
    expect(await statesOf(server, newest?.id ?? '')).toMatchObject({ counting: 2 });
  });
});

async function listed(device: Installation): Promise<{ id: string; state: string }[]> {
  const { stdout } = await device.run('withdraw', '--json');
  return (JSON.parse(stdout) as { submissions: { id: string; state: string }[] }).submissions;
}

describe('withdrawing and restoring over HTTP', () => {
  test("requires the operator's session and origin, and is idempotent", async () => {
    const { server, cookie, id, change } = await aScene('cat');

    expect((await change('restore', {})).status).toBe(401);
    const foreign = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' };
    expect((await change('withdraw', foreign)).status).toBe(403);
    expect((await change('withdraw', { Cookie: await server.signIn('bob') })).status).toBe(404);
    expect(await statesOf(server, id)).toMatchObject({ counting: 2 });
    for (const what of ['withdraw', 'withdraw', 'restore', 'restore']) {
      const { status, body } = await change(what, { Cookie: cookie });
      const states = what === 'withdraw' ? { withdrawn: 2 } : { counting: 2, withdrawn: 0 };
      expect({ status, body }).toMatchObject({ status: 200, body: { id, states } });
    }
  });

  test('works for a connected app, which sees withdrawn submissions in /me', async () => {
    const server = await board();
    const visitor = new Visitor(server.url);
    await visitor.signIn('dan@example.org');
    const { tokens } = await signInAsMcpClient(server, visitor, '');
    const headers = { Authorization: `Bearer ${tokens?.access_token}` };
    const record = composeRecord(aBucket({ day: daysAgo(2) }));
    const sent = await fetch(`${server.url}/api/v1/snapshots`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(record),
    });
    const { id } = (await sent.json()) as { id: string };
    const change = (what: string) =>
      fetch(`${server.url}/api/v1/submissions/${id}/${what}`, { method: 'POST', headers });
    const withdrawn = async () => {
      const answer = await fetch(`${server.url}/api/v1/me`, { headers });
      return ((await answer.json()) as Me).withdrawn;
    };

    expect((await change('withdraw')).status).toBe(200);
    const day = daysAgo(2);
    expect(await withdrawn()).toEqual([
      { id, received_at: expect.any(String), records: 1, first_day: day, last_day: day },
    ]);
    expect((await change('restore')).status).toBe(200);
    expect(await withdrawn()).toEqual([]);
  });
});

describe('the page of own submissions', () => {
  test('withdraws and restores, and is not cached', async () => {
    const { server, cookie, id } = await aScene('eve');
    const open = async (path: string, by = cookie) => {
      const response = await fetch(server.url + path, { headers: { Cookie: by } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const post = (action: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/settings/submissions`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, ...headers },
        body: new URLSearchParams({ id, action }),
      });

    expect((await open(`/submissions/${id}`)).headers.get('cache-control')).toBe('no-store');
    const shared = await open(`/submissions/${id}`, '');
    expect(shared.headers.get('cache-control')).toContain('public');
    expect(shared.text).toContain(`/settings/submissions?change=${id}#change`);
    expect(shared.text).not.toContain('<form method="post"');
    const own = await open(`/settings/submissions?change=${id}`);
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect(own.text).toContain('Withdraw submission');
    expect(
      await open(`/settings/submissions?change=${id}`, await server.signIn('bob')),
    ).toMatchObject({
      status: 404,
      text: expect.not.stringContaining('Withdraw submission') as unknown,
    });

    expect((await post('withdraw', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(await statesOf(server, id)).toMatchObject({ counting: 2 });
    const done = await post('withdraw');
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      '/settings/submissions?done=withdrawn',
    ]);
    expect((await open('/settings/submissions?done=withdrawn')).text).toContain(
      'The submission is withdrawn.',
    );
    expect((await open(`/settings/submissions?change=${id}`)).text).toContain('Restore submission');
    await post('restore');
    expect(await statesOf(server, id)).toMatchObject({ counting: 2, withdrawn: 0 });
  });
});
