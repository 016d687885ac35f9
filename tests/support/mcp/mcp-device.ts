/** The local MCP server in this process, and a client of it. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { LocalDevice } from '#agent/device.ts';
import { serverOf } from '#agent/mcp/server.ts';
import { DAY_MS, NOW_MS } from '../board/builders.ts';
import { aFolder } from '../logs/log-folder.ts';
import { aClaudeLine } from '../logs/log-writers.ts';
import type { Choice } from './choose-tool.ts';

/** A home folder with this many days of logs, the newest of yesterday. */
export function aHomeOf(days: number): string {
  const files = Array.from({ length: days }, (_, at) => {
    const line = aClaudeLine({
      id: `m${at}`,
      at: NOW_MS - (at + 1) * DAY_MS - Date.UTC(2026, 2, 2),
    });
    return [`.claude/projects/p/${at}.jsonl`, `${line}\n`];
  });
  return aFolder(Object.fromEntries(files) as Record<string, string>);
}

/**
 * A client of the server, whose calls use this device.
 *
 * @param home The board of calls that name none.
 */
export async function connectTo(
  device: LocalDevice,
  log: (text: string) => void = () => undefined,
  home?: string,
) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = serverOf(
    (signal) => ({ ...device, wait: (ms) => (signal.throwIfAborted(), device.wait(ms)) }),
    log,
    home,
  );
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: given,
    });
    const [block] = content;
    const text = block?.type === 'text' ? block.text : '';
    return { isError: isError === true, told: JSON.parse(text) as object, structuredContent };
  };
  return { client, call };
}

/** The result of `tools/list`, exactly as the server sends it. */
export async function listOf(device: LocalDevice): Promise<{ tools: Choice[] }> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = serverOf(
    () => device,
    () => undefined,
  );
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  const receive = ours.onmessage;
  const heard: unknown[] = [];
  ours.onmessage = (message, extra) => {
    heard.push(message);
    receive?.(message, extra);
  };
  await client.listTools();
  return (heard[0] as { result: { tools: Choice[] } }).result;
}
