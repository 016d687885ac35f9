/** The board's own MCP server: the tools of the contract, over the queries and commands of the REST API. */
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { BOARD_TOOLS, type BoardTool } from '#core/contract/board-tools.ts';
import { listedTool } from '#core/contract/tools.ts';
import type { Served } from './endpoint.ts';
import { HANDLERS } from './handlers.ts';

/** Tools change with the program only. */
const LIST_LIFE_MS = 60 * 60 * 1000;

const TOOLS = BOARD_TOOLS.map(listedTool);
const BY_NAME = new Map<string, BoardTool>(BOARD_TOOLS.map((tool) => [tool.name, tool]));

export function isProtected(name: string): boolean {
  return BY_NAME.get(name)?.auth === 'operator';
}

export function serverOf(served: Served): McpServer {
  const { config, release } = served.ctx;
  const mcp = new McpServer(
    { name: 'opbench-board', title: config.site.name, version: release.version },
    {
      capabilities: { tools: {} },
      cacheHints: { 'tools/list': { ttlMs: LIST_LIFE_MS, cacheScope: 'public' } },
    },
  );
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = BY_NAME.get(params.name);
    if (!tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`);
    }
    const handle = HANDLERS[tool.name as keyof typeof HANDLERS] as Handle;
    const structuredContent = await handle(tool.input.parse(params.arguments ?? {}), served);
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  });
  return mcp;
}

type Handle = (input: unknown, served: Served) => Promise<Record<string, unknown>>;
