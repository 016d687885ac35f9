/** One operator: ranks, history, records and keys. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { DEFAULT_VIEW } from '../domain/board/board-path.ts';
import { BoardHead, ClassTier, KeptValues } from '../schema/board.ts';
import {
  EARLIER,
  HistoryPoint,
  MAX_CLASS_TOOLS,
  OperatorKey,
  OperatorStanding,
  StatedDays,
  ToolClass,
} from '../schema/operator.ts';
import { MetricName, OperatorRecord } from '../schema/record.ts';
import { ShownProfile } from '../schema/profile.ts';
import { RecordsHeld } from '../schema/signal-record.ts';
import { Codename } from '../schema/scalars.ts';
import { SHOWN_KEYS } from '../schema/shown.ts';
import { AsOf, BoardFilters, BoardQuery } from './leaderboard.ts';
import { Format, ListQuery, pageOf } from './list.ts';
import { defineRoute } from './route.ts';

const CodenameInPath = z.strictObject({ codename: Codename });
const { shape: head } = BoardHead.omit({ metric: true });

export const OperatorQuery = z.strictObject({ ...BoardQuery, as_of: AsOf });
export type OperatorQuery = z.infer<typeof OperatorQuery>;

export const OperatorDetail = object('OperatorDetail', {
  ...head,
  ...BoardFilters,
  codename: Codename,
  ...ShownProfile.shape,
  class_tier: ClassTier.nullable().describe(`The class over all tools. ${EARLIER}`),
  class_by_tool: z
    .array(ToolClass)
    .max(MAX_CLASS_TOOLS)
    .nullable()
    .describe(
      `The class on the board of each tool. The tool with the most tokens in 90 days comes first. ${EARLIER}`,
    ),
  devices: z.int().min(0).nullable().describe(`The number of devices that can sign. ${EARLIER}`),
  values: KeptValues,
  records_held: RecordsHeld.nullable().describe(`${RecordsHeld.description ?? ''} ${EARLIER}`),
  standing: OperatorStanding.nullable().describe(
    'Usage and ranks; null without tokens in the window.',
  ),
  stated_days: StatedDays.nullable().describe(
    `Which days of the window the operator's devices stated; null if there are none. ${EARLIER}`,
  ),
});
export type OperatorDetail = z.infer<typeof OperatorDetail>;

export const getOperator = defineRoute('getOperator', {
  auth: 'public',
  params: CodenameInPath,
  query: OperatorQuery,
  reply: OperatorDetail,
});

export const HistoryQuery = z.strictObject({
  window: BoardHead.shape.window
    .default(DEFAULT_VIEW.window)
    .describe('The days to show, and the window of the ranks.'),
  metric: MetricName.default(DEFAULT_VIEW.metric).describe('The metric of the ranks.'),
  interval: z.enum(['day', 'week']).default('day').describe('The period of one point.'),
  format: Format,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** The days of ten years, more than any board has. */
const MAX_POINTS = 3660;

export const OperatorHistory = object('OperatorHistory', {
  codename: Codename,
  window: BoardHead.shape.window,
  metric: MetricName,
  interval: HistoryQuery.shape.interval.unwrap().describe('The period of one point.'),
  as_of: BoardHead.shape.as_of,
  log_index: z.int().min(0).describe('The log entries that the points are computed from.'),
  points: z
    .array(HistoryPoint)
    .max(MAX_POINTS)
    .describe('Oldest first. Days or weeks without tokens are left out.'),
});
export type OperatorHistory = z.infer<typeof OperatorHistory>;

export const getOperatorHistory = defineRoute('getOperatorHistory', {
  auth: 'public',
  params: CodenameInPath,
  query: HistoryQuery,
  reply: OperatorHistory,
  table: { row: HistoryPoint, rows: ({ points }) => points },
});

export const OperatorRecords = object('OperatorRecords', {
  codename: Codename,
  ...pageOf(OperatorRecord, 'Records'),
});
export type OperatorRecords = z.infer<typeof OperatorRecords>;

export const RecordsQuery = z.strictObject(ListQuery);
export type RecordsQuery = z.infer<typeof RecordsQuery>;

export const getOperatorRecords = defineRoute('getOperatorRecords', {
  auth: 'public',
  params: CodenameInPath,
  query: RecordsQuery,
  reply: OperatorRecords,
  table: { row: OperatorRecord, rows: ({ entries }) => entries },
});

export const OperatorKeys = object('OperatorKeys', {
  codename: Codename,
  total: z.int().min(0).describe('The number of all keys, including those that `keys` leaves out.'),
  keys: z
    .array(OperatorKey)
    .max(SHOWN_KEYS)
    .describe(`The newest keys, at most ${SHOWN_KEYS}, newest first.`),
});
export type OperatorKeys = z.infer<typeof OperatorKeys>;

export const getOperatorKeys = defineRoute('getOperatorKeys', {
  auth: 'public',
  params: CodenameInPath,
  reply: OperatorKeys,
});
