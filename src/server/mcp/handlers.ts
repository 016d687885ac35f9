/** What the tools of a board answer: what the REST API answers to the same question. */
import type * as z from 'zod';
import type { BOARD_TOOLS } from '#core/contract/board-tools.ts';
import { DomainError } from '#core/domain/errors.ts';
import type { Caller } from '#core/schema/session.ts';
import { SHORT_LIMIT } from '#core/contract/peers.ts';
import { readLeaderboard } from '../queries/leaderboard.ts';
import { readPeers } from '../queries/peers.ts';
import type { Served } from './endpoint.ts';

type BoardTool = (typeof BOARD_TOOLS)[number];
type Answer<Output extends z.ZodType> = Promise<z.input<Output>> | z.input<Output>;

/** What each tool does, by its name. */
type Handlers = {
  [Name in BoardTool['name']]: (
    input: z.output<Extract<BoardTool, { name: Name }>['input']>,
    served: Served,
  ) => Answer<Extract<BoardTool, { name: Name }>['output']>;
};

export const HANDLERS: Handlers = {
  get_leaderboard: (query, { ctx }) => readLeaderboard(ctx, { ...query, format: 'json' }),
  discover_peers: (_, { ctx, caller }) =>
    readPeers(ctx, operatorIn(caller), { limit: SHORT_LIMIT.default }),
};

/** The gate lets nobody else call them. */
function operatorIn(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new DomainError('unauthenticated', 'This needs a signed-in operator');
}
