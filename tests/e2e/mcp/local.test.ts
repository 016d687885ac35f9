/** The whole loop of an agent that has only the local MCP server. */
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Installation,
  anInstallation,
  daysAgo,
  enroll,
} from '#tests/support/agent/installation.ts';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { built } from '#tests/support/http/process.ts';
import { answerCheck } from '#tests/support/mcp/output-schema.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

/** The oldest supported Node.js, if it is installed. */
const OLDEST = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return stdout?.startsWith('v20.') ?? false;
});

/** The official client with the built command. Checks every response against the schema of the tool. */
async function connect({ home }: Installation, mode: 'auto' | 'legacy', node = process.execPath) {
  const transport = new StdioClientTransport({
    command: node,
    args: [built('opbench.mjs'), 'mcp'],
    env: { HOME: home, USERPROFILE: home },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const wrongWith = answerCheck(DEVICE_TOOLS);
  const call = async <Told>(name: string, given: Record<string, unknown> = {}): Promise<Told> => {
    const { content, structuredContent } = await client.callTool({ name, arguments: given });
    expect(wrongWith(name, structuredContent)).toBeNull();
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    return structuredContent as Told;
  };
  return { client, tools, call, stderr: () => stderr };
}

interface Submitted {
  payloads: { board: string; payload: string }[];
  submissions: { board: string; records: number; receipts: object[] }[];
}

test('an agent completes the loop', async () => {
  const server = await startServer();
  const device = anInstallation();
  for (let days = 1; days <= 16; days += 1) device.logDay(daysAgo(days), COUNTS);
  await enroll(device, server.url, await server.signIn('ada'));
  const { client, call, stderr } = await connect(device, 'auto');

  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(await call('doctor')).toMatchObject({ boards: [{ board: server.url, key: 'fine' }] });
  expect(await call('scan')).toMatchObject({ days: 16, totals: { output: 320_000 } });

  const shown = await call<Submitted>('submit_verified', { dry_run: true });
  const sent = await call<Submitted>('submit_verified');
  expect(shown).toMatchObject({ submissions: [], payloads: [{ board: server.url }] });
  expect(sent).toMatchObject({ payloads: [], submissions: [{ records: 16, receipts: [{}] }] });
  const accepted = await fetch(`${server.url}/api/v1/submissions?codename=ada`);
  const { entries } = (await accepted.json()) as { entries: { id: string }[] };
  const envelope = await fetch(`${server.url}/api/v1/submissions/${entries[0]?.id}/envelope`);
  const { payload } = (await envelope.json()) as { payload: string };
  const timeless = (text: string) =>
    text.replace(/"(submission_id|issued_at)":"[^"]*"/g, '"$1":""');
  expect(timeless(shown.payloads[0]?.payload ?? '')).toBe(
    timeless(Buffer.from(payload, 'base64').toString()),
  );

  const peers = await eventually(
    () => call<{ reasons: object[] }>('discover_peers'),
    ({ reasons }) => reasons.length === 0,
  );
  expect(peers).toMatchObject({ codename: 'ada', mentors: { empty_because: 'nobody_above' } });
  const own = { source: 'board', board: server.url, class_tier: 'river' };
  expect(await call('self_improve')).toMatchObject(own);
  expect(await call('status')).toMatchObject({
    boards: [{ board: server.url, standing: { codename: 'ada' } }],
    left_out: 0,
  });
  device.logDay(daysAgo(0), COUNTS);
  expect(await call('submit_verified')).toMatchObject({ submissions: [{ records: 1 }] });

  await server.stop();
  const down = await client.callTool({ name: 'discover_peers', arguments: {} });
  expect(down).toMatchObject({ isError: true });
  expect(down.structuredContent).toBeUndefined();
  expect(JSON.stringify(down.content)).toContain('cannot be reached');
  expect(stderr()).toBe('');
});

describe.each([
  ['the pinned Node', process.execPath],
  ['Node 20', OLDEST],
])('on %s', (_, node) => {
  test.skipIf(node === undefined)('serves clients of 2025 without an enrollment', async () => {
    const device = anInstallation();
    device.logDay(daysAgo(1), COUNTS);
    const { client, tools, call, stderr } = await connect(device, 'legacy', node);

    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'opbench' });
    expect(tools.map(({ name }) => name)).toHaveLength(6);
    expect(await call('scan')).toMatchObject({ days: 1, totals: { output: 20_000 } });
    expect(await call('self_improve')).toMatchObject({ source: 'logs' });
    expect(await call('doctor', { offline: true })).toMatchObject({ boards: [] });
    const { isError, content } = await client.callTool({ name: 'submit_verified', arguments: {} });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('not_enrolled');
    expect(stderr()).toBe('');
  });

  test.skipIf(node === undefined)('exits immediately if stdin is empty', () => {
    const { home } = anInstallation();
    const env = { HOME: home, USERPROFILE: home };
    // "ignore" means /dev/null, which ends but is never closed.
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    const ended = spawnSync(node ?? '', [built('opbench.mjs'), 'mcp'], { env, stdio });

    expect(ended.status).toBe(0);
    expect(String(ended.stdout) + String(ended.stderr)).toBe('');
  });

  test.skipIf(node === undefined)(
    'writes nothing but the protocol, and ends with stdin',
    async () => {
      const { home } = anInstallation();
      const child = spawn(node ?? '', [built('opbench.mjs'), 'mcp'], {
        env: { HOME: home, USERPROFILE: home },
      });
      onTestFinished(() => void child.kill());
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      const messages = [
        { id: 1, method: 'initialize', params },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/list' },
        {
          id: 3,
          method: 'tools/call',
          params: { name: 'scan', arguments: {}, _meta: { progressToken: 7 } },
        },
        { id: 4, method: 'tools/call', params: { name: 'doctor', arguments: { offline: true } } },
        { id: 5, method: 'tools/call', params: { name: 'discover_peers', arguments: {} } },
        { id: 6, method: 'no/such' },
      ];
      child.stdin.write('this is not a message\n');
      for (const message of messages)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const lines = () => stdout.split('\n').filter((line) => line !== '');
      const read = () =>
        lines().map((line) => JSON.parse(line) as { jsonrpc: string; id?: number });
      await eventually(
        async () => read(),
        (told) => [1, 2, 3, 4, 5, 6].every((id) => told.some((one) => one.id === id)),
      );
      child.stdin.end();

      const [status] = (await once(child, 'close')) as [number];

      expect(status).toBe(0);
      expect(read().every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
      expect(
        read()
          .map(({ id }) => id)
          .filter((id) => id !== undefined)
          .sort(),
      ).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );
});
