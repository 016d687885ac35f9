import * as z from 'zod';
import { parseVkey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { sha256 } from '../process/crypto.ts';
import type { BoardClient } from './board-client.ts';
import { BoardUnavailable } from './mirror-error.ts';

const FILE = '.well-known/opbench-keys.json';
const MAX_BYTES = 1024 * 1024;

const PublishedKeys = z.object({ log_key: z.object({ vkey: z.string() }) });

/**
 * The key of a board's log, as the board publishes it. A mirror trusts it on first use.
 *
 * @throws {BoardUnavailable} if the board publishes none.
 */
export async function publishedVkey(client: BoardClient): Promise<string> {
  const answer = await client.read(FILE, { maxBytes: MAX_BYTES });
  try {
    const { log_key } = PublishedKeys.parse(JSON.parse(answer?.bytes.toString() ?? ''));
    return vkeyOf(parseVkey(log_key.vkey, sha256));
  } catch {
    throw new BoardUnavailable(
      `${client.url} does not publish the key of its log. Upgrade the board, or name the key with --key`,
    );
  }
}
