/** The tools of a board. They return the same as the REST API. */
import * as z from 'zod';
import type { Peers } from '#core/contract/peers.ts';
import type { BOARD_TOOLS, submitSnapshotTool } from '#core/contract/mcp/board-tools.ts';
import { WrongArguments } from '#core/contract/mcp/tool-answers.ts';
import { PEER_TEXTS } from '#core/contract/mcp/tools.ts';
import { computeMetrics } from '#core/domain/metrics/compute-metrics.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Caller } from '#core/schema/account.ts';
import { currentName } from '../operator/codenames.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator/operator.ts';
import { readChallenge, readChallenges } from '../challenge/challenges.ts';
import { readHallOfSignal, readMetricLeaders } from '../board/metric-page.ts';
import { readImprovements, readyImprovements } from '../board/improvements.ts';
import { readLeaderboard } from '../board/leaderboard.ts';
import { readMyOperator, readyMe } from '../board/me.ts';
import { readOperatorHistory, readyOperatorHistory } from '../board/operator-history.ts';
import { readOperator, readyOperator } from '../board/operator.ts';
import { readPeers, readyPeers } from '../board/peers.ts';
import type { Served } from './transport.ts';
import { SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import { submitRecords, tryRecords } from '../submission/submit-records.ts';
import { submitSnapshot, trySnapshot } from '../submission/submit-snapshot.ts';
import { tooLarge } from '../http/request/body.ts';

type BoardTool = (typeof BOARD_TOOLS)[number];
type Answer<Output extends z.ZodType> = Promise<z.input<Output>> | z.input<Output>;

/** The handler of each tool by name. */
type Handlers = {
  [Name in BoardTool['name']]: (
    input: z.output<Extract<BoardTool, { name: Name }>['input']>,
    served: Served,
  ) => Answer<Extract<BoardTool, { name: Name }>['output']>;
};

/** Tools do not support CSV. */
const JSON_ONLY = { format: 'json' } as const;

export const HANDLERS: Handlers = {
  get_leaderboard: (query, { ctx }) => readLeaderboard(ctx, { ...query, ...JSON_ONLY }),

  get_operator: async ({ codename, ...query }, { ctx }) => {
    const name = currentName(ctx, codename);
    await readyOperator(ctx, name);
    return readOperator(ctx, name, query);
  },

  get_operator_history: async ({ codename, ...query }, { ctx }) => {
    const name = currentName(ctx, codename);
    await readyOperatorHistory(ctx, name, query);
    return readOperatorHistory(ctx, name, { ...query, ...JSON_ONLY });
  },

  metric_leaders: (query, { ctx }) => readMetricLeaders(ctx, { ...query, ...JSON_ONLY }),

  get_challenges: ({ id, ...query }, { ctx }) => {
    const page = { ...query, ...JSON_ONLY };
    return id === undefined ? readChallenges(ctx, page) : readChallenge(ctx, id, page);
  },

  get_hall_of_signal: (_, { ctx }) => readHallOfSignal(ctx),

  compute_metrics: ({ records }) => {
    const counts = records.map(({ input, output, cache_write = null, cache_read = null }) => {
      return { input, output, cache_write, cache_read };
    });
    return { stored: false, ...computeMetrics(counts) };
  },

  discover_peers: async ({ board, ...query }, { ctx, caller }) => {
    refuseOtherBoard(ctx, board);
    const operator = operatorIn(caller);
    await readyPeers(ctx, operator);
    const peers = readPeers(ctx, operator, query);
    return { untrusted: [...PEER_TEXTS], counts_from: countsFrom(ctx, operator, peers), ...peers };
  },

  self_improve: async ({ board, ...query }, { ctx, caller }) => {
    refuseOtherBoard(ctx, board);
    const operator = operatorIn(caller);
    await readyImprovements(ctx, operator, query.days);
    const improvements = readImprovements(ctx, operator, query);
    return { source: 'board', board: ctx.config.baseUrl, ...improvements };
  },

  submit_snapshot: (sent, { ctx, caller }) => submit(ctx, operatorIn(caller), sent),

  my_operator: async (_, { ctx, caller }) => {
    await readyMe(ctx, operatorIn(caller));
    return readMyOperator(ctx, operatorIn(caller));
  },
};

/** @throws {WrongArguments} for the URL of another board. */
function refuseOtherBoard({ config: { baseUrl } }: AppContext, board: string | undefined): void {
  if (board === undefined || (URL.canParse(board) && new URL(board).origin === baseUrl)) return;
  const detail = `must be ${baseUrl} or absent on this server`;
  throw new WrongArguments([{ pointer: '#/board', code: 'invalid_value', detail }]);
}

/** Returns when the board will include the operator's latest submission; null if it already does. */
function countsFrom(ctx: AppContext, { operator_id }: Caller, peers: Peers): string | null {
  return operatorOf(ctx, operator_id).log_index > peers.log_index ? peers.next_refresh_at : null;
}

/** Returns the caller, which the gate has already checked. */
function operatorIn(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new DomainError('unauthenticated', 'This tool requires a signed-in operator');
}

/**
 * Submits an envelope or records like `POST /api/v1/snapshots`, with the same limits. An envelope must be signed by a
 * device of the caller, because a signature proves who counted and not who sent the request.
 *
 * @throws {DomainError} with one of the route's `errors`.
 */
export async function submit(
  ctx: AppContext,
  caller: Caller,
  { envelope, records, idempotency_key, dry_run }: z.output<typeof submitSnapshotTool.input>,
): Promise<z.output<typeof submitSnapshotTool.output>> {
  // Serializing again is safe: the signature covers the text inside `payload`.
  const text = JSON.stringify(envelope ?? { records });
  if (Buffer.byteLength(text) > SNAPSHOT_LIMIT_BYTES) {
    throw tooLarge({ bodyLimitBytes: SNAPSHOT_LIMIT_BYTES });
  }
  if (envelope && dry_run) return trySnapshot(ctx, text, caller);
  if (envelope) return (await submitSnapshot(ctx, text, caller)).answer;
  ctx.limiter.take('writes', String(caller.operator_id));
  const sent = { text, idempotencyKey: idempotency_key };
  return dry_run ? tryRecords(ctx, caller, sent) : (await submitRecords(ctx, caller, sent)).answer;
}
