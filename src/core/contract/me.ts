/** The caller's own standing. */
import * as z from 'zod';
import {
  BoardHead,
  ClassTier,
  Interval,
  Movement,
  RankRange,
  UnrankedReason,
  WindowName,
} from '../schema/board.ts';
import { Device } from '../schema/device.ts';
import { Notice } from '../schema/moderation.ts';
import { MAX_CLASS_TOOLS, ToolClass } from '../schema/operator.ts';
import { Profile } from '../schema/profile.ts';
import { Metrics } from '../schema/record.ts';
import { RecordsHeld } from '../schema/signal-record.ts';
import { Codename } from '../schema/scalars.ts';
import { NoBody, NoParams, NoQuery, defineRoute } from './route.ts';

export const MyStanding = z
  .strictObject({
    window: BoardHead.shape.window,
    metrics: Metrics.describe('Over the window, to 12 significant digits.'),
    interval: Interval.nullable().describe('Of the yield; null where that is undefined.'),
    rank: z.int().min(1).nullable().describe('By yield; null while unranked.'),
    rank_range: RankRange.nullable().describe('Null while unranked.'),
    movement: Movement.nullable().describe('Null while unranked.'),
    total: z.int().min(0).describe('Ranked operators.'),
    reasons: z.array(UnrankedReason).describe('What is missing to be ranked; empty when ranked.'),
  })
  .describe('Where the caller stands in one window.')
  .meta({ id: 'MyStanding' });
export type MyStanding = z.infer<typeof MyStanding>;

export const MyTool = z
  .strictObject({
    ...ToolClass.shape,
    standings: z
      .array(MyStanding)
      .max(WindowName.options.length)
      .describe(
        "On the tool's own board: one for each window with tokens, shortest first; empty without a board.",
      ),
  })
  .meta({ id: 'MyTool', description: 'Where the caller stands among those who use one tool.' });
export type MyTool = z.infer<typeof MyTool>;

export const Me = z
  .strictObject({
    codename: Codename,
    display_name: Profile.shape.display_name,
    avatar_url: Profile.shape.avatar_url,
    privacy_mode: Profile.shape.privacy_mode,
    class_tier: ClassTier.describe(
      'Over all tools, which log their input differently: `tools` has the class by tool.',
    ),
    records_held: RecordsHeld,
    device: Device.nullable().describe('The device that asks; null for a session.'),
    log_index: z.int().min(0).describe('The log entries that the standings are a function of.'),
    generated_at: BoardHead.shape.generated_at,
    next_refresh_at: BoardHead.shape.next_refresh_at,
    standings: z
      .array(MyStanding)
      .describe('Over all tools: one for each window with tokens, shortest first.'),
    tools: z
      .array(MyTool)
      .max(MAX_CLASS_TOOLS)
      .describe('The same by tool, the one with most tokens in 90 days first.'),
    notices: z
      .array(Notice)
      .describe('What checks found and keepers decided about the account, the gravest first.'),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

export const getMe = defineRoute({
  id: 'getMe',
  tag: 'account',
  method: 'GET',
  path: '/api/v1/me',
  summary: "The caller's own standing",
  auth: 'operator',
  limit: 'pages',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  ...NoBody,
  reply: Me,
  statuses: [200],
  errors: ['not_found'],
});
