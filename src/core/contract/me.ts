/** The caller's own standing. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardHead, ClassTier } from '../schema/board.ts';
import { Device } from '../schema/device.ts';
import { Notice } from '../schema/moderation.ts';
import { MyStanding, MyTool, SharedDays } from '../schema/my-standing.ts';
import { MAX_CLASS_TOOLS } from '../schema/operator.ts';
import { Profile } from '../schema/profile.ts';
import { RecordsHeld } from '../schema/signal-record.ts';
import { Codename, FingerprintKey } from '../schema/scalars.ts';
import { WithdrawnSubmission } from '../schema/submission.ts';
import { defineRoute } from './route.ts';

/** The most withdrawn submissions that are listed. */
export const MAX_WITHDRAWN = 20;

export const Me = object('Me', {
  codename: Codename,
  display_name: Profile.shape.display_name,
  avatar_url: Profile.shape.avatar_url,
  privacy_mode: Profile.shape.privacy_mode,
  class_tier: ClassTier.describe(
    'Over all tools, which log their input differently: `tools` has the class by tool.',
  ),
  records_held: RecordsHeld,
  device: Device.nullable().describe('The device that asks; null for a session.'),
  fingerprint_key: FingerprintKey.nullable().describe(
    'The key of the fingerprints that devices of this account state: 32 bytes, base64url without padding. All devices of the account get the same key. Null unless a device asks.',
  ),
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
  shared: SharedDays,
  device_count: z.int().min(0).describe('Devices that the caller ever enrolled.'),
  notices: z
    .array(Notice)
    .describe('What checks found and keepers decided about the account, the gravest first.'),
  withdrawn: z
    .array(WithdrawnSubmission)
    .max(MAX_WITHDRAWN)
    .describe(
      'Withdrawn submissions that can be restored, newest first: for a device those that it sent itself, otherwise those of the account.',
    ),
});
export type Me = z.infer<typeof Me>;

/** The same without what only programs that submit need. */
export const MyOperator = Me.omit({ fingerprint_key: true, withdrawn: true });
export type MyOperator = z.infer<typeof MyOperator>;

export const getMe = defineRoute('getMe', { auth: 'operator', reply: Me });
