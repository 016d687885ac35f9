/** Clients of the MCP server of a running board. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { signInAsMcpClient } from './mcp-sign-in.ts';
import type { RunningServer } from '../http/server.ts';
import { Visitor } from '../http/visitor.ts';

/** The official client, in the revision that it negotiates with the server or in an earlier one. */
export async function aClient(
  { url }: Pick<RunningServer, 'url'>,
  mode: 'auto' | 'legacy',
  token?: string,
): Promise<Client> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), {
    requestInit: { headers },
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** A token of an app that the operator of a session connected. */
export async function aTokenOf(server: RunningServer, cookie: string): Promise<string> {
  const visitor = new Visitor(server.url);
  visitor.signInBy(cookie);
  const { tokens } = await signInAsMcpClient(server, visitor, '/api/mcp');
  return tokens?.access_token ?? '';
}

/** A public tool's result as one text, for the simplest client. */
export async function toolText({ url }: { url: string }, name: string, given: object = {}) {
  const answer = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    }),
  });
  return answer.text();
}
