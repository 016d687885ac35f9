/** The board's own MCP server: the tools of the contract, over the queries and commands of the REST API. */
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import {
  type BoardTool,
  UNTRUSTED,
  listedBoardTool,
  untrustedText,
} from '#core/contract/mcp/board-tool.ts';
import { BOARD_TOOLS } from '#core/contract/mcp/remote-tools.ts';
import { MCP_REVISIONS } from '#core/contract/mcp/manifests.ts';
import { type ToolAnswer, answerOf, argumentsOf } from '#core/contract/mcp/tool-answers.ts';
import { errorOf } from './error.ts';
import { HANDLERS } from './handlers.ts';
import { instructionsOf } from './instructions.ts';
import { implementationOf } from './manifests.ts';
import type { Served } from './served.ts';

/** What the server says of itself changes with the program only; everybody is told the same. */
const TOLD = { ttlMs: 60 * 60 * 1000, cacheScope: 'public' } as const;

/** How much of a name that no tool has is told back. */
const NAMED_CHARACTERS = 64;

const TOOLS = BOARD_TOOLS.map(listedBoardTool);
const BY_NAME = new Map<string, BoardTool>(BOARD_TOOLS.map((tool) => [tool.name, tool]));

export function isProtected(name: string): boolean {
  return BY_NAME.get(name)?.auth === 'operator';
}

export function serverOf(served: Served): McpServer {
  const mcp = new McpServer(implementationOf(served.ctx), {
    // Said outright, or the SDK would promise to tell of changes.
    capabilities: { tools: { listChanged: false } },
    supportedProtocolVersions: [...MCP_REVISIONS],
    instructions: instructionsOf(served.ctx),
    cacheHints: { 'server/discover': TOLD, 'tools/list': TOLD },
  });
  // Its own handlers of tools answer bad arguments without a code and a hint.
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = BY_NAME.get(params.name);
    if (!tool) {
      const name = params.name.slice(0, NAMED_CHARACTERS);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}"`);
    }
    const answer = await answerOf(
      () => callTool(tool, params.arguments, served),
      (error) => errorOf(error, served),
    );
    return answer.isError ? answer : marked(answer, tool);
  });
  return mcp;
}

/** What comes out is not checked against its schema: it is what the REST API answers, and tests hold both. */
async function callTool(tool: BoardTool, given: unknown, served: Served): Promise<unknown> {
  const handle = HANDLERS[tool.name as keyof typeof HANDLERS] as Handle;
  return handle(argumentsOf(tool.input, given), served);
}

type Handle = (input: unknown, served: Served) => unknown;

/** Says beside an answer which of its members hold the words of strangers: the answer itself is the API's. */
function marked(answer: ToolAnswer, tool: BoardTool): ToolAnswer {
  const text = untrustedText(tool);
  const told = text === null ? [] : [{ type: 'text' as const, text }];
  return {
    ...answer,
    content: [...answer.content, ...told],
    _meta: { [UNTRUSTED]: [...tool.untrusted] },
  };
}
