/** The official MCP client with the built server. */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import type { Me } from '#core/contract/me.ts';
import { Memory, letIn } from '#tests/support/mcp/mcp-sign-in.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

/** The client of an app, which follows the metadata of the server. */
async function connect({ url }: RunningServer, mode: 'auto' | 'legacy') {
  const memory = new Memory();
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), {
    authProvider: memory,
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string) => (await client.callTool({ name })).structuredContent;
  return { client, transport, memory, call };
}

async function me({ url }: RunningServer, visitor: Visitor): Promise<unknown> {
  const answer = (await (await visitor.request(`${url}/api/v1/me`)).json()) as Partial<Me>;
  delete answer.fingerprint_key;
  delete answer.snapshot_types;
  delete answer.withdrawn;
  return answer;
}

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)(
  'the official client goes from unregistered to signed in, and continues: %s',
  async (mode, revision) => {
    const server = await plainBoard();
    const visitor = new Visitor(server.url);
    visitor.signInBy(await server.signIn(`of-${mode}`));
    const { client, transport, memory, call } = await connect(server, mode);
    const tokens = () => memory.tokens();

    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await call('get_leaderboard')).toMatchObject({ entries: [] });
    expect([memory.authorizationUrl, tokens()]).toEqual([undefined, undefined]);

    await expect(call('my_operator')).rejects.toThrow(UnauthorizedError);
    const { told } = await letIn(memory, visitor);
    await transport.finishAuth(told);

    expect(decodeJwt(tokens()?.access_token ?? '').aud).toBe(`${server.url}/api/mcp`);
    expect(await call('my_operator')).toEqual(await me(server, visitor));

    // An expired token: the client refreshes it without user interaction.
    const signed = tokens() ?? { access_token: '', token_type: 'Bearer' };
    memory.saveTokens({ ...signed, access_token: signed.access_token.slice(0, -8) + 'AAAAAAAA' });
    memory.authorizationUrl = undefined;

    expect(await call('my_operator')).toEqual(await me(server, visitor));
    expect(memory.authorizationUrl).toBeUndefined();
    expect(tokens()?.refresh_token).not.toBe(signed.refresh_token);
  },
);
