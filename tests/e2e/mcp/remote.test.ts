/** Compares the board's MCP server, used with the official client, with the REST API. */
import { expect, test } from 'vitest';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { PEER_TEXTS } from '#core/contract/mcp/tools.ts';
import { addContests } from '#tests/support/board/contests.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { aClient, aTokenOf } from '#tests/support/mcp/mcp-wire.ts';
import { answerCheck } from '#tests/support/mcp/output-schema.ts';
import { type Members, aBoardOfModes, setProfile } from '#tests/support/http/modes.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import { aLivePayload, postSnapshot } from '#tests/support/http/wire.ts';

type Given = Record<string, unknown>;

const YESTERDAY = daysAgo(1);
/** Calls of an agent, and the addresses of the REST API with the same responses. */
const PUBLIC: readonly [tool: string, given: Given, address: string][] = [
  ['get_leaderboard', {}, 'leaderboard'],
  [
    'get_leaderboard',
    { window: 'all_time', metric: 'snr', trust: 'all', include: 'unranked', limit: 2 },
    'leaderboard?window=all_time&metric=snr&trust=all&include=unranked&limit=2',
  ],
  ['get_leaderboard', { q: 'pseudo' }, 'leaderboard?q=pseudo'],
  ['get_leaderboard', { tool: 'claude-code' }, 'leaderboard?tool=claude-code'],
  ['get_leaderboard', { as_of: YESTERDAY }, `leaderboard?as_of=${YESTERDAY}`],
  ['get_leaderboard', { tool: 'abacus' }, 'leaderboard?tool=abacus'],
  ['get_leaderboard', { cursor: 'junk' }, 'leaderboard?cursor=junk'],
  ['get_leaderboard', { as_of: '2020-01-01' }, 'leaderboard?as_of=2020-01-01'],
  ['get_operator', { codename: 'op-identified' }, 'operators/op-identified'],
  [
    'get_operator',
    { codename: 'op-pseudonymous', window: '7d', tool: 'claude-code', trust: 'all' },
    'operators/op-pseudonymous?window=7d&tool=claude-code&trust=all',
  ],
  [
    'get_operator',
    { codename: 'op-pseudonymous', as_of: YESTERDAY },
    `operators/op-pseudonymous?as_of=${YESTERDAY}`,
  ],
  ['get_operator', { codename: 'op-deleted' }, 'operators/op-deleted'],
  ['get_operator', { codename: 'op-anonymous' }, 'operators/op-anonymous'],
  ['get_operator', { codename: 'op-private' }, 'operators/op-private'],
  ['get_operator', { codename: 'nobody-ever' }, 'operators/nobody-ever'],
  ['get_operator_history', { codename: 'op-identified' }, 'operators/op-identified/history'],
  [
    'get_operator_history',
    { codename: 'op-deleted', window: '90d', metric: 'snr', interval: 'week' },
    'operators/op-deleted/history?window=90d&metric=snr&interval=week',
  ],
  ['get_operator_history', { codename: 'op-private' }, 'operators/op-private/history'],
  ['metric_leaders', {}, 'metrics/leaders'],
  [
    'metric_leaders',
    { metric: 'leverage', window: '7d', class: 'brook' },
    'metrics/leaders?metric=leverage&window=7d&class=brook',
  ],
  ['get_challenges', {}, 'challenges'],
  ['get_challenges', { status: 'complete', limit: 1 }, 'challenges?status=complete&limit=1'],
  ['get_challenges', { id: 'running' }, 'challenges/running'],
  ['get_challenges', { id: 'over', limit: 2 }, 'challenges/over?limit=2'],
  ['get_challenges', { id: 'nothing' }, 'challenges/nothing'],
  ['get_hall_of_signal', {}, 'hall-of-signal'],
];

/** The same for tools about the caller. */
const OWN: readonly [tool: string, given: Given, address: string][] = [
  ['discover_peers', {}, 'peers'],
  ['discover_peers', { limit: 1 }, 'peers?limit=1'],
  ['self_improve', {}, 'improvements'],
  ['self_improve', { limit: 2 }, 'improvements?limit=2'],
  ['my_operator', {}, 'me'],
];

/** A board with operators in all privacy modes, one of them renamed. */
async function aBoard(): Promise<{ server: RunningServer; members: Members }> {
  const { server, members } = await aBoardOfModes();
  addContests(server, members);
  const { identified, anonymous, deleted } = members;
  await setProfile(server, identified.cookie, { privacy_mode: 'identified' });
  await setProfile(server, anonymous.cookie, { privacy_mode: 'anonymous' });
  await setProfile(server, members.private.cookie, { privacy_mode: 'private' });
  const renamed = await fetch(`${server.url}/api/v1/profile/codename`, {
    method: 'POST',
    headers: { Cookie: deleted.cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ codename: 'op-renamed' }),
  });
  expect(renamed.status).toBe(200);
  return { server, members };
}

/** Reads the REST API, optionally with an operator's session. */
async function read({ url }: RunningServer, address: string, cookie = '') {
  const headers = { Cookie: cookie };
  const answer = await fetch(`${url}/api/v1/${address}`, { headers });
  return { isOk: answer.ok, body: (await answer.json()) as Given };
}

/** Calls tools and checks each result against the schema of the tool. */
async function caller(server: RunningServer, mode: 'auto' | 'legacy', token?: string) {
  const client = await aClient(server, mode, token);
  const { tools } = await client.listTools();
  const wrongWith = answerCheck(BOARD_TOOLS);
  const call = async (name: string, given: Given) => {
    const result = await client.callTool({ name, arguments: given });
    const { structuredContent, content, isError } = result;
    const [text] = content as { text: string }[];
    const told = JSON.parse(text?.text ?? '') as Given;
    if (isError) return { told, isError };
    expect(wrongWith(name, structuredContent)).toBeNull();
    expect(told).toEqual(structuredContent);
    return { told, isError: false };
  };
  return { client, names: tools.map(({ name }) => name), call };
}

test('every tool returns what the REST API returns for the same request', async () => {
  const { server, members } = await aBoard();
  for (const [day, mode] of [
    [12, 'auto'],
    [13, 'legacy'],
  ] as const) {
    const { names, call } = await caller(server, mode);
    expect(names).toEqual(BOARD_TOOLS.map(({ name }) => name));
    for (const row of rowsFor(mode, PUBLIC)) await compare(server, call, row);

    for (const { cookie, device } of Object.values(ownersOf(members))) {
      const own = await caller(server, mode, await aTokenOf(server, cookie));
      for (const row of rowsFor(mode, OWN)) await compare(server, own.call, row, cookie);
      const envelope = await device.seal(aLivePayload(server, bucketsOfDays(1, daysAgo(day))));
      const { told } = await own.call('submit_snapshot', { envelope });
      expect(told).toEqual((await postSnapshot(server, envelope)).body);
    }
    await computeAsTheBoard(server, call);
  }
  const asked = new Set([...PUBLIC, ...OWN].map(([tool]) => tool));
  const all = BOARD_TOOLS.map(({ name }) => name);
  expect([...asked, 'compute_metrics', 'submit_snapshot'].sort()).toEqual([...all].sort());

  await hearWhatIsWrong(server);
});

type Call = Awaited<ReturnType<typeof caller>>['call'];

/** Handlers do not depend on the revision, so one call per tool is enough for the older ones. */
function rowsFor(mode: 'auto' | 'legacy', rows: typeof PUBLIC): typeof PUBLIC {
  if (mode === 'auto') return rows;
  return rows.filter(([tool], at) => rows.findIndex(([other]) => other === tool) === at);
}

function ownersOf({ identified, anonymous, private: hidden }: Members) {
  return { identified, anonymous, private: hidden };
}

/** The members about the source, which only tools that devices also have return. */
function addedBy(tool: string, board: string, body: Given): object {
  if (tool === 'self_improve') return { source: 'board', board };
  if (tool !== 'discover_peers') return {};
  const counts_from: unknown = expect.toBeOneOf([null, body['next_refresh_at']]);
  return { untrusted: [...PEER_TEXTS], counts_from };
}

/** Removes the members that only submitting programs need. */
function shownTo(tool: string, body: object): object {
  if (tool !== 'my_operator') return body;
  const hidden = ['fingerprint_key', 'snapshot_types', 'withdrawn'];
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)));
}

/** Compares a result or error with that of the REST API. */
async function compare(
  server: RunningServer,
  call: Call,
  [tool, given, address]: (typeof PUBLIC)[number],
  cookie?: string,
): Promise<void> {
  const { isOk, body } = await read(server, address, cookie);
  const { told, isError } = await call(tool, given);
  const { code, detail, hint = null, errors } = body;
  const refusal = { code, message: detail, hint, ...(errors !== undefined && { errors }) };
  expect([address, isError]).toEqual([address, !isOk]);
  const added = isOk ? addedBy(tool, server.url, body) : {};
  const expected = { ...(isOk ? body : refusal), ...added };
  expect([address, told]).toEqual([address, shownTo(tool, expected)]);
}

/** The same counts give the same metrics in Operator Records, on the board and in compute_metrics. */
async function computeAsTheBoard(server: RunningServer, call: Call): Promise<void> {
  const { body: records } = await read(server, 'operators/op-pseudonymous/records');
  const { body: board } = await read(server, 'operators/op-pseudonymous?window=all_time');
  const entries = records['entries'] as { telemetry: object; metrics: object; warnings: object }[];
  const standing = board['standing'] as Given & { metrics: Record<string, { value: number }> };

  const { told } = await call('compute_metrics', {
    records: entries.map(({ telemetry }) => telemetry),
  });

  expect(told['records']).toEqual(entries.map(({ metrics, warnings }) => ({ metrics, warnings })));
  const { totals, cascade, shape } = standing;
  const values = Object.entries(standing.metrics).map(([name, { value }]) => [name, value]);
  const metrics = Object.fromEntries(values) as Given;
  expect(told['together']).toMatchObject({ totals, cascade, shape, metrics });
}

/** Invalid calls return errors, and the client can continue. */
async function hearWhatIsWrong(server: RunningServer): Promise<void> {
  const { client, call } = await caller(server, 'auto');
  const unknown = client.callTool({ name: 'drop_tables', arguments: {} });
  await expect(unknown).rejects.toMatchObject({ code: -32602 });
  const closed = client.callTool({ name: 'my_operator', arguments: {} });
  await expect(closed).rejects.toThrow(/401/);
  const { told } = await call('get_leaderboard', { window: '31d' });
  expect(told).toMatchObject({ code: 'arguments_invalid' });
  expect((await call('get_leaderboard', {})).isError).toBe(false);
}
