/** The resources of a board: its leaderboard, and the rank of the caller. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { getLeaderboardTool, myOperatorTool } from '#core/contract/mcp/board-tools.ts';
import { TOP_LENGTH, resourceResult, resourcesOf } from '#core/contract/mcp/resources.ts';
import { HANDLERS } from './handlers.ts';
import type { Served } from './transport.ts';

const OWN = /^opbench:\/\/[^/]+\/me$/;

/** Whether reading a resource requires an operator. */
export function isOwnResource(uri: string): boolean {
  return OWN.test(uri);
}

export function listResources({ ctx }: Served) {
  return { resources: Object.values(resourcesOf(ctx.config.baseUrl)) };
}

/**
 * Returns the result of `resources/read`: the answer of a tool.
 *
 * @throws {ResourceNotFoundError} for any other URI.
 * @throws {DomainError} as the tool does.
 */
export async function readResource(uri: string, served: Served) {
  const { top, own } = resourcesOf(served.ctx.config.baseUrl);
  if (uri === top.uri) {
    const query = getLeaderboardTool.input.parse({ limit: TOP_LENGTH });
    const board = await HANDLERS.get_leaderboard(query, served);
    return resourceResult(top, board, getLeaderboardTool.untrusted);
  }
  if (uri === own.uri) {
    const me = await HANDLERS.my_operator({}, served);
    return resourceResult(own, me, myOperatorTool.untrusted);
  }
  throw new ResourceNotFoundError(uri);
}
