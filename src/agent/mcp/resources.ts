/** The resources of this device: for each of its boards, the leaderboard and the rank of its operator. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { BOARD_TEXTS } from '#core/contract/mcp/board-tool.ts';
import { TOP_LENGTH, resourceResult, resourcesOf } from '#core/contract/mcp/resources.ts';
import { BoardPageAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { readStatus } from '../loop/status.ts';
import { boundedStatus } from './shortened.ts';

export function listResources({ keystore }: Pick<LocalDevice, 'keystore'>) {
  return keystore.identities().sound.flatMap(({ board }) => Object.values(resourcesOf(board)));
}

/**
 * Returns the result of `resources/read`: a page of a board, or what the tool `status` returns for it.
 *
 * @throws {ResourceNotFoundError} if no board of this device has this resource.
 * @throws {Failure} if the board cannot be read.
 */
export async function readResource(device: LocalDevice, uri: string) {
  for (const { board } of device.keystore.identities().sound) {
    const { top, own } = resourcesOf(board);
    if (uri === top.uri) {
      const query = { limit: String(TOP_LENGTH) };
      const page = await device.client.leaderboard(board, query, BoardPageAnswer);
      return resourceResult(top, page, BOARD_TEXTS);
    }
    if (uri === own.uri) {
      const status = boundedStatus((await readStatus(device, { board })).report);
      return resourceResult(own, status, status.untrusted);
    }
  }
  throw new ResourceNotFoundError(uri);
}
