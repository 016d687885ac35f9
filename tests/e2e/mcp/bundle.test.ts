/** The bundle for desktop clients, as they install and start it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { Release } from '#core/schema/release.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { aFolder } from '#tests/support/agent/npm.ts';
import { unzipped } from '#tests/support/agent/unzip.ts';
import { sharedServer } from '#tests/support/http/server.ts';

const board = sharedServer();

interface Manifest {
  version: string;
  server: { mcp_config: { command: string; args: string[] } };
  user_config: { board: { default: string } };
}

/** The files of the board's bundle in a folder, and its manifest. */
async function installed(url: string) {
  const response = await fetch(`${url}/opbench.mcpb`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const folder = aFolder();
  const files = unzipped(bytes);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Manifest;
  return { response, bytes, folder, manifest };
}

/** Starts the server as the manifest says, for a user who changed nothing or entered this address. */
async function started(
  { folder, manifest }: Awaited<ReturnType<typeof installed>>,
  home: string,
  address = manifest.user_config.board.default,
): Promise<Client> {
  const { command, args } = manifest.server.mcp_config;
  expect(command).toBe('node');
  const words = args.map((word) =>
    word.replace('${__dirname}', () => folder).replace('${user_config.board}', () => address),
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: words,
    env: { HOME: home, USERPROFILE: home },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

test('the bundle is what the board publishes', async () => {
  const { url } = await board();
  const { response, bytes, manifest } = await installed(url);
  const release = Release.parse(await (await fetch(`${url}/opbench.json`)).json());
  const other = await fetch(`${url}/opbench-0.0.1.mcpb`);
  const digest = createHash('sha512').update(bytes).digest('base64');

  expect(response.url).toBe(`${url}/opbench-${release.version}.mcpb`);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(release.bundle).toEqual({ url: response.url, integrity: `sha512-${digest}` });
  expect(manifest).toMatchObject({
    version: release.version,
    user_config: { board: { default: url } },
  });
  expect([other.status, await other.text()]).toEqual([
    404,
    `This board serves opbench ${release.version}: ${response.url}\n`,
  ]);
});

test('the bundle starts with Node.js, lists its tools and uses its board', async () => {
  const server = await board();
  const device = anInstallation();
  device.logDay(daysAgo(1), { input: 10, output: 20, cache_write: 30, cache_read: 40 });
  await enroll(device, server.url, await server.signIn('ada'));
  const bundle = await installed(server.url);
  const client = await started(bundle, device.home);
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const sent = await client.callTool({ name: 'submit_verified', arguments: {} });

  expect(tools.map(({ name }) => name)).toEqual(DEVICE_TOOLS.map(({ name }) => name));
  expect(prompts).toHaveLength(3);
  expect(resources.map(({ uri }) => uri)).toContain(
    `opbench://${new URL(server.url).host}/leaderboard`,
  );
  expect(sent.structuredContent).toMatchObject({ submissions: [{ board: server.url }] });
});

test('an empty setting means all boards, and another address no board of this device', async () => {
  const server = await board();
  const device = anInstallation();
  await enroll(device, server.url, await server.signIn('bob'));
  const bundle = await installed(server.url);
  const empty = await started(bundle, device.home, '');
  const other = await started(bundle, device.home, 'https://b.test');
  const status = async (client: Client) =>
    client.callTool({ name: 'status', arguments: {} }) as Promise<object>;

  expect(await status(empty)).toMatchObject({
    structuredContent: { boards: [{ board: server.url }] },
  });
  expect(JSON.stringify(await status(other))).toContain('not enrolled on https://b.test');
  await expect(started(bundle, device.home, 'no address')).rejects.toThrow();
});
