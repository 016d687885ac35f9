/** The caller's rank, devices and notices. */
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

/** The maximum number of withdrawn submissions in a response. */
export const MAX_WITHDRAWN = 20;

export const Me = object('Me', {
  codename: Codename,
  display_name: Profile.shape.display_name,
  avatar_url: Profile.shape.avatar_url,
  privacy_mode: Profile.shape.privacy_mode,
  class_tier: ClassTier.describe(
    'The class over all tools. Tools log input differently, so `tools` has the class by tool.',
  ),
  records_held: RecordsHeld,
  device: Device.nullable().describe(
    'The device that made the request; null for a session or an access token.',
  ),
  fingerprint_key: FingerprintKey.nullable().describe(
    'The key for the fingerprints of this account: 32 bytes, base64url without padding. All devices of the account get the same key. Null unless a device made the request.',
  ),
  snapshot_types: z
    .array(z.string())
    .describe('The payload types of the snapshots that this board accepts.'),
  log_index: z.int().min(0).describe('The log entries that the ranks are computed from.'),
  generated_at: BoardHead.shape.generated_at,
  next_refresh_at: BoardHead.shape.next_refresh_at,
  standings: z
    .array(MyStanding)
    .describe('Ranks over all tools: one entry for each window with tokens, shortest first.'),
  tools: z
    .array(MyTool)
    .max(MAX_CLASS_TOOLS)
    .describe('Ranks by tool. The tool with the most tokens in 90 days comes first.'),
  shared: SharedDays,
  device_count: z.int().min(0).describe('The number of devices that the caller has ever enrolled.'),
  notices: z
    .array(Notice)
    .describe('Findings of checks, and decisions and answers of admins, most serious first.'),
  withdrawn: z
    .array(WithdrawnSubmission)
    .max(MAX_WITHDRAWN)
    .describe(
      'Withdrawn submissions that can be restored, newest first. A device gets only its own submissions.',
    ),
});
export type Me = z.infer<typeof Me>;

/** {@linkcode Me} without the members that only submitting programs need. */
export const MyOperator = Me.omit({
  fingerprint_key: true,
  snapshot_types: true,
  withdrawn: true,
});
export type MyOperator = z.infer<typeof MyOperator>;

export const getMe = defineRoute('getMe', { auth: 'operator', reply: Me });
