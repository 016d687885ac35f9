/** The tools of a board's MCP server. Those that anyone can call answer like the public reads of the REST API. */
import * as z from 'zod';
import { Codename } from '#core/schema/scalars.ts';
import { ChallengeId } from '#core/schema/challenge.ts';
import { BOARD_TEXTS, type BoardTool } from './board-tool.ts';
import { ChallengeDetail, Challenges, ChallengesQuery } from '../challenges.ts';
import { ComputedMetrics, ComputedRecords } from '../compute.ts';
import { HallOfSignal } from '../hall-of-signal.ts';
import { Leaderboard, LeaderboardQuery } from '../leaderboard.ts';
import { PAGE_LIMIT } from '../limits.ts';
import { LeadersQuery, MetricLeaders } from '../metrics.ts';
import { HistoryQuery, OperatorDetail, OperatorHistory, OperatorQuery } from '../operators.ts';
import { PEER_TEXTS, READS, discoverPeers, listLimit, named, selfImprove } from './tools.ts';
import { list } from '#core/schema/texts.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import { Envelope, MAX_RECORDS } from '#core/schema/snapshot.ts';
import { MyOperator } from '../me.ts';
import { IdempotencyKey, SnapshotAnswer } from '../snapshots.ts';

/** Reads of the board itself. */
const BOARD_READ = { auth: 'public', annotations: { ...READS, openWorldHint: false } } as const;
const limit = listLimit('Entries per page', PAGE_LIMIT);

const CodenameAsked = Codename.describe(
  'The operator. An earlier codename works too; the answer has the current one.',
);

export const getLeaderboardTool = {
  ...BOARD_READ,
  ...named('get_leaderboard'),
  input: LeaderboardQuery.omit({ format: true }).extend({ limit }),
  output: Leaderboard,
  untrusted: BOARD_TEXTS,
} as const satisfies BoardTool;

const getOperatorTool = {
  ...BOARD_READ,
  ...named('get_operator'),
  input: OperatorQuery.extend({ codename: CodenameAsked }),
  output: OperatorDetail,
  untrusted: [
    ...['codename', 'display_name', 'bio', 'location', 'links'],
    ...['tool', 'tools', 'provider', 'model', 'name'],
  ],
} as const satisfies BoardTool;

const getOperatorHistoryTool = {
  ...BOARD_READ,
  ...named('get_operator_history'),
  input: HistoryQuery.omit({ format: true }).extend({ codename: CodenameAsked }),
  output: OperatorHistory,
  untrusted: ['codename'],
} as const satisfies BoardTool;

const metricLeadersTool = {
  ...BOARD_READ,
  ...named('metric_leaders'),
  input: LeadersQuery.omit({ format: true }),
  output: MetricLeaders,
  untrusted: BOARD_TEXTS,
} as const satisfies BoardTool;

/** The arguments for the list, or for one challenge if they contain an ID. */
const ChallengesAsked = ChallengesQuery.omit({ format: true })
  .extend({
    id: ChallengeId.optional().describe(
      'Returns this challenge with its standings. Without it, returns the list.',
    ),
    limit,
  })
  .refine(({ id, status }) => id === undefined || status === undefined, {
    path: ['status'],
    message: 'cannot be combined with id: it filters the list',
  });

const getChallengesTool = {
  ...BOARD_READ,
  ...named('get_challenges'),
  input: ChallengesAsked,
  output: z.union([ChallengeDetail, Challenges]),
  untrusted: [
    ...['title', 'description', 'tool', 'cancelled_reason'],
    ...['codename', 'display_name'],
  ],
} as const satisfies BoardTool;

const getHallOfSignalTool = {
  ...BOARD_READ,
  ...named('get_hall_of_signal'),
  input: z.strictObject({}),
  output: HallOfSignal,
  untrusted: ['codename', 'display_name'],
} as const satisfies BoardTool;

const computeMetricsTool = {
  ...BOARD_READ,
  ...named('compute_metrics'),
  input: ComputedRecords,
  output: ComputedMetrics,
  untrusted: [],
} as const satisfies BoardTool;

export const PUBLIC_TOOLS = [
  getLeaderboardTool,
  getOperatorTool,
  getOperatorHistoryTool,
  metricLeadersTool,
  getChallengesTool,
  getHallOfSignalTool,
  computeMetricsTool,
] as const;

const OWN_READ = { auth: 'operator', annotations: { ...READS, openWorldHint: false } } as const;

export const discoverPeersTool = {
  ...discoverPeers,
  ...OWN_READ,
  untrusted: PEER_TEXTS,
} as const satisfies BoardTool;

const selfImproveTool = {
  ...selfImprove,
  ...OWN_READ,
  untrusted: ['tool', 'model'],
} as const satisfies BoardTool;

const Submitted = z
  .strictObject({
    envelope: Envelope.optional().describe(
      'An envelope signed by a device of the caller, unchanged.',
    ),
    records: list(OperatorRecord, { min: 1, max: MAX_RECORDS })
      .optional()
      .describe('Unsigned records, which appear only on boards with `trust=all`.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('Makes all checks and returns a preview, but stores nothing.'),
    idempotency_key: IdempotencyKey.describe(
      'With `records`: repeating a call with the same key and records stores nothing new.',
    ),
  })
  .refine(({ envelope, records }) => (envelope === undefined) !== (records === undefined), {
    message: 'must have either envelope or records',
  })
  .refine(({ envelope, idempotency_key: key }) => envelope === undefined || key === undefined, {
    path: ['idempotency_key'],
    message: 'cannot be combined with envelope, which has a submission_id',
  });

export const submitSnapshotTool = {
  ...named('submit_snapshot'),
  auth: 'operator',
  input: Submitted,
  output: SnapshotAnswer,
  // Destructive: earlier counts can be replaced. Not idempotent: records without a key are logged each time.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  untrusted: ['tools'],
} as const satisfies BoardTool;

export const myOperatorTool = {
  ...OWN_READ,
  ...named('my_operator'),
  input: z.strictObject({}),
  output: MyOperator,
  untrusted: ['codename', 'display_name', 'label', 'reason', 'tool', 'text'],
} as const satisfies BoardTool;

const OWN_TOOLS = [discoverPeersTool, selfImproveTool, submitSnapshotTool, myOperatorTool] as const;

export const BOARD_TOOLS = [...PUBLIC_TOOLS, ...OWN_TOOLS] as const;
