import * as z from 'zod';
import { object } from '../schema/object.ts';
import {
  BoardEntry,
  BoardHead,
  ClassTier,
  KeptValues,
  TrustFilter,
  UnrankedEntry,
  UnrankedReason,
  WindowName,
} from '../schema/board.ts';
import { DEFAULT_VIEW } from '../domain/board/board-path.ts';
import { MetricName } from '../schema/record.ts';
import { CohortId, EARLIER } from '../schema/operator.ts';
import { Cohort } from '../schema/profile.ts';
import { Day, Label } from '../schema/scalars.ts';
import { MAX_TOOLS } from '../schema/usage.ts';
import { PAGE_LIMIT } from './limits.ts';
import { ListQuery, pageOf } from './list.ts';
import { defineRoute } from './route.ts';

/** The parameters that choose a board. */
export const BoardQuery = {
  window: WindowName.default(DEFAULT_VIEW.window),
  tool: Label.optional().describe('Counts only this tool. `tools` of a response lists the values.'),
  trust: TrustFilter.default(DEFAULT_VIEW.trust),
};

/** The parameters that filter the operators on a board. */
export const ChoiceQuery = {
  class: ClassTier.optional().describe(
    'Ranks only operators of this class. Movement is then null because earlier boards by class are not stored.',
  ),
  cohort: Label.optional().describe(
    'Ranks only operators who show that they belong to this cohort. `cohorts` of a response lists the values. Movement is then null.',
  ),
};

export const AsOf = Day.optional().describe(
  'Returns the last board of this UTC day as it was published: ranks, values and intervals only. On older days, values and intervals may be null: see `values`.',
);

export const LeaderboardQuery = z.strictObject({
  ...BoardQuery,
  ...ChoiceQuery,
  metric: MetricName.default(DEFAULT_VIEW.metric).describe('The metric to rank by.'),
  q: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .describe(
      'Lists only operators whose name contains this text, with their ranks on the whole board.',
    ),
  as_of: AsOf.describe(
    `${AsOf.description ?? ''} The current day returns the current board. An earlier day cannot be combined with \`class\` or \`cohort\`, which are not stored. GET /api/v1/days lists the days.`,
  ),
  include: z
    .literal('unranked')
    .optional()
    .describe(
      'Adds operators who are not ranked, with the requirements that they do not meet. In CSV they are rows without a rank, with the codes in the column `reasons`.',
    ),
  ...ListQuery,
});
export type LeaderboardQuery = z.infer<typeof LeaderboardQuery>;

/** An entry of the current board or of an earlier one. Earlier boards store ranks, values and intervals. */
const { rank_range, movement, class_tier, trust, totals } = BoardEntry.shape;
const { conservative, interval, coverage, active_days, tools, last_active } = BoardEntry.shape;
const NOT_STORED = 'Null on earlier boards stored without intervals or values.';
export const LeaderboardEntry = object('LeaderboardEntry', {
  ...BoardEntry.shape,
  rank_range: rank_range.nullable().describe(`${rank_range.description ?? ''} ${EARLIER}`),
  movement: movement.nullable().describe(`${movement.description ?? ''} ${EARLIER}`),
  class_tier: class_tier.nullable().describe(`${class_tier.description ?? ''} ${EARLIER}`),
  conservative: conservative.describe(`${conservative.description ?? ''} ${NOT_STORED}`),
  interval: interval.describe(`${interval.description ?? ''} ${NOT_STORED}`),
  trust: trust.nullable().describe(EARLIER),
  totals: totals.nullable().describe(EARLIER),
  coverage: coverage.describe(`${coverage.description ?? ''} ${EARLIER}`),
  active_days: active_days.nullable().describe(`${active_days.description ?? ''} ${EARLIER}`),
  tools: tools.nullable().describe(`${tools.description ?? ''} ${EARLIER}`),
  last_active: last_active.nullable().describe(`${last_active.description ?? ''} ${EARLIER}`),
});
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>;

/** The members of every response about a board, in addition to its head. */
export const BoardFilters = {
  tool: Label.nullable().describe('The only tool that counts; null for all.'),
  trust: TrustFilter,
  tools: z
    .array(Label)
    .max(MAX_TOOLS)
    .describe('The tools that have their own board, most operators first.'),
};

/** The members that name the filters of operators. */
export const ChoiceFilters = {
  class: ClassTier.nullable().describe('The only class on the board; null for all.'),
  cohort: CohortId.nullable().describe('The only cohort on the board; null for all.'),
  cohorts: z.array(Cohort).describe('The cohorts that have a board.'),
};

export const Moderation = z
  .strictObject({
    held_submissions: z
      .int()
      .min(0)
      .describe('The number of submissions on hold, by a check or by the admin.'),
    hidden_operators: z.int().min(0).describe('The number of operators hidden by the admin.'),
  })
  .describe('What is currently not counted, on the whole board.')
  .meta({ id: 'Moderation' });
export type Moderation = z.infer<typeof Moderation>;

export const Leaderboard = object('Leaderboard', {
  ...BoardHead.shape,
  ...BoardFilters,
  ...ChoiceFilters,
  moderation: Moderation.nullable().describe(EARLIER),
  values: KeptValues,
  ...pageOf(LeaderboardEntry, 'Ranked operators'),
  unranked_total: z
    .int()
    .min(0)
    .optional()
    .describe(
      'With `include=unranked`: the number of operators with tokens in the window but no rank.',
    ),
  unranked: z
    .array(UnrankedEntry)
    .max(PAGE_LIMIT.keyed)
    .optional()
    .describe(
      'With `include=unranked`: these operators by codename, at most `limit` per page; empty on an earlier board.',
    ),
});
export type Leaderboard = z.infer<typeof Leaderboard>;

export const getLeaderboard = defineRoute('getLeaderboard', {
  auth: 'public',
  query: LeaderboardQuery,
  reply: Leaderboard,
  table: {
    row: LeaderboardEntry.extend({ reasons: z.array(UnrankedReason.shape.code).optional() }),
    rows: ({ entries, unranked = [] }) => [
      ...entries,
      ...unranked.map((entry) => ({ ...entry, reasons: entry.reasons.map(({ code }) => code) })),
    ],
  },
});

export const DaysQuery = z.strictObject(ListQuery);
export type DaysQuery = z.infer<typeof DaysQuery>;

const { log_index, ruleset, generated_at } = BoardHead.shape;

const KeptDay = object('KeptDay', {
  day: Day.describe('The UTC day, a value for `as_of`.'),
  log_index,
  ruleset,
  generated_at: generated_at.describe('When the last board of that day was computed.'),
  tools: z.array(Label).max(MAX_TOOLS).describe('The tools that had their own board.'),
  values: KeptValues,
});
type KeptDay = z.infer<typeof KeptDay>;

export const Days = object('Days', pageOf(KeptDay, 'Stored days'));
export type Days = z.infer<typeof Days>;

export const listDays = defineRoute('listDays', {
  auth: 'public',
  query: DaysQuery,
  reply: Days,
  table: { row: KeptDay, rows: ({ entries }) => entries },
});
