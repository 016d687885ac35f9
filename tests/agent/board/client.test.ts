import { describe, expect, test } from 'vitest';
import { Client, type Fetch } from '#agent/board/client.ts';
import { plainJson } from '#core/domain/text/terminal-text.ts';
import { standingText } from '#agent/text/standing.ts';
import { standingOf } from '#agent/loop/standing.ts';
import { outboxOf, submit } from '#agent/loop/submit.ts';
import { fetchFrom, sendable } from '#tests/support/agent/agent.ts';
import { BASE_URL, aBucket } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';

/** A value with one additional member in every object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, extended(member)]);
  return { ...Object.fromEntries(members), later: { member: true } };
}

function aLaterBoard(whole: Fetch): Fetch {
  return async (url, init) => {
    const answer = await whole(url, init);
    return Response.json(extended(await answer.json()), { status: answer.status });
  };
}

function answering(status: number, answer: object): Fetch {
  return () => Promise.resolve(Response.json(answer, { status }));
}

async function enrolled() {
  const ctx = testContext();
  return { ctx, ...(await anEnrolledDevice(ctx, 'ada', { fetch: aLaterBoard(fetchFrom(ctx)) })) };
}

describe('Client', () => {
  test('accepts responses with unknown members at all levels', async () => {
    const { device, identity } = await enrolled();

    const submitted = await submit(device, identity, sendable([aBucket()]));
    const me = await device.client.me(identity);
    await device.client.revoke(identity);

    expect(submitted).toMatchObject({ snapshots: 1, records: 1 });
    expect(me).toMatchObject({ codename: 'ada', device: { id: identity.device_id } });
    await expect(device.client.me(identity)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('accepts unknown windows and reasons', async () => {
    const { device, identity } = await enrolled();
    const reasons = [
      { code: 'moon_full', required: null, actual: null },
      { code: 'con\u001bstructor', required: 2, actual: 1 },
    ];
    const standing = { window: '5y', rank: null, total: 0, metrics: { yield: null }, reasons };
    const me = { codename: 'ada', device: null, generated_at: 'a', next_refresh_at: 'b' };
    const wire = answering(200, { ...me, standings: [standing] });

    const answer = await new Client(wire, device.nowMs).me(identity);

    expect(standingText(standingOf(BASE_URL, answer)).split('\n')[0]).toBe(
      '  5y       not ranked: moon_full, 1 of 2 constructor',
    );
  });

  test('reads a board for members with the key of this device, and any other board without it', async () => {
    const { device, identity } = await enrolled();
    const sent: (string | null)[] = [];
    const forMembers: Fetch = async (_, init) => {
      const token = new Headers(init.headers).get('authorization');
      sent.push(token);
      if (token === null)
        return Response.json({ code: 'unauthenticated', detail: 'No' }, { status: 401 });
      return Response.json({ keys: [] });
    };
    const member = new Client(forMembers, device.nowMs, () => identity);
    const stranger = new Client(forMembers, device.nowMs);

    expect(await member.boardKeys(BASE_URL)).toEqual({ keys: [] });
    expect(sent).toEqual([null, expect.stringMatching(/^Bearer /)]);
    await expect(stranger.boardKeys(BASE_URL)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(sent).toHaveLength(3);
  });

  test('treats an unknown code as a rejection, and drops permanently rejected envelopes', async () => {
    const { ctx, device, identity } = await enrolled();
    const whole = fetchFrom(ctx);
    const refusing: Fetch = (url, init) =>
      url.endsWith('/snapshots')
        ? answering(422, { code: 'tuesday', detail: 'Not today', hint: 7, later: {} })(url, init)
        : whole(url, init);
    const client = new Client(refusing, device.nowMs);

    const refused = submit({ ...device, client }, identity, sendable([aBucket()]));

    await expect(refused).rejects.toMatchObject({ code: 'tuesday', exitCode: 3, hint: null });
    expect(outboxOf(device, identity).pending()).toEqual([]);
  });

  test('recognizes rate limits', async () => {
    const { device, identity } = await enrolled();
    const problem = { code: 'quota_exceeded', detail: 'Wait', 'quota-policy': [{ q: 1 }] };
    const client = new Client(answering(429, problem), device.nowMs);

    await expect(client.me(identity)).rejects.toMatchObject({ status: 429, exitCode: 3 });
  });

  test('does not treat other pages as errors of a board', async () => {
    const { device, identity } = await enrolled();
    const client = new Client(answering(404, { message: 'no such page' }), device.nowMs);

    await expect(client.revoke(identity)).rejects.toMatchObject({ code: null, exitCode: 4 });
  });
});

describe('plainJson()', () => {
  test('is the same value without control characters', () => {
    const value = { text: '\u009b1m\u202e\u{e0001}é' };

    const text = plainJson(value);

    expect(text).toBe('{"text":"\\u009b1m\\u202e\\udb40\\udc01é"}');
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('counts()', () => {
  const COUNT = {
    ...{ device: 'a', label: 'Laptop', day: '2026-03-01', tool: 't', provider: 'p', model: 'm' },
    ...{ input: 1, output: 2, cache_write: null, cache_read: 4, fingerprint: null, same_as: null },
    ...{
      stated_at: 'now',
      submission: 's',
      counted: { input: 1, output: 2, cache_write: null, cache_read: 4 },
    },
  };

  test('reads all pages with the same query', async () => {
    const { device, identity } = await enrolled();
    const asked: string[] = [];
    const pages = [
      { entries: [COUNT], next_cursor: 'more', total: 2 },
      { entries: [{ ...COUNT, day: '2026-03-02' }], next_cursor: null, total: 2 },
    ];
    const wire: Fetch = (url) => {
      asked.push(url.replace(BASE_URL, ''));
      return Promise.resolve(Response.json(pages.shift()));
    };

    const counts = await new Client(wire, device.nowMs).counts(identity, { from: '2026-03-01' });

    expect(counts?.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(asked).toEqual([
      '/api/v1/counts?from=2026-03-01&limit=1000',
      '/api/v1/counts?from=2026-03-01&limit=1000&cursor=more',
    ]);
  });

  test('is null on a board that is too old, and fails on other errors', async () => {
    const { device, identity } = await enrolled();
    const at = (status: number, code: string) =>
      new Client(answering(status, { code, detail: 'No' }), device.nowMs).counts(identity);

    expect(await at(404, 'not_found')).toBeNull();
    await expect(at(403, 'key_revoked')).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('stops if a board sends endless cursors', async () => {
    const { device, identity } = await enrolled();
    const endless = answering(200, { entries: [], next_cursor: 'more' });

    expect(await new Client(endless, device.nowMs).counts(identity)).toEqual([]);
  });
});
