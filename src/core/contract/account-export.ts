/** All that the board holds of the caller. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { AccountEvent, Application, BrowserSession, LinkedMethod } from '../schema/account.ts';
import { LogEntry } from '../schema/log.ts';
import { Check } from '../schema/moderation.ts';
import { OperatorKey } from '../schema/operator.ts';
import { Profile } from '../schema/profile.ts';
import { Day, Digest, Label, Timestamp, TokenCount, UuidV7 } from '../schema/scalars.ts';
import { LoggedEnvelope } from '../schema/self-report.ts';
import { Trust } from '../schema/submission.ts';
import { defineRoute } from './route.ts';

const LogIndex = z.int().min(1);

const ExportedDevice = z
  .strictObject({
    id: z.uuid().describe("The device's name on this board."),
    trust: Trust,
    label: z.string().describe('As its owner named it; empty for what is sent by hand.'),
    installation_id: z.uuid().nullable().describe('Null for what is sent by hand.'),
    created_at: Timestamp.describe('When it was first seen.'),
    replaced_by: z
      .uuid()
      .nullable()
      .describe('The device that replaced it and has its keys, submissions and counts; else null.'),
    replaced_at: Timestamp.nullable().describe('When it was replaced; null if it was not.'),
    keys: z.array(OperatorKey).describe('Every key that it had, oldest first.'),
  })
  .describe('A device, or what stands for records sent by hand.')
  .meta({ id: 'ExportedDevice' });

const ExportedMethod = LinkedMethod.omit({ id: true })
  .describe('A way of signing in.')
  .meta({ id: 'ExportedMethod' });

const ExportedSession = BrowserSession.omit({ current: true })
  .describe('A browser that is signed in.')
  .meta({ id: 'ExportedSession' });

const ExportedApplication = Application.omit({ id: true })
  .describe('An application that the operator let in.')
  .meta({ id: 'ExportedApplication' });

const ExportedMessage = object('ExportedMessage', 'A message to the keeper.', {
  subject: z.string().describe('As it was written.'),
  message: z.string().describe('As it was written.'),
  created_at: Timestamp.describe('When it was written.'),
  mailed_at: Timestamp.nullable().describe('Null if it was not mailed.'),
});

const ExportedEvent = AccountEvent.describe('What happened to the account.').meta({
  id: 'ExportedEvent',
});

const ExportedAction = object('ExportedAction', 'What a keeper did with the account.', {
  action: z.string().describe('What was done.'),
  reason: z.string().nullable().describe("The keeper's words; null where none were asked for."),
  created_at: Timestamp.describe('When it was done.'),
});

const ExportedEntry = z
  .strictObject({
    log_index: LogIndex.describe('Its place in the log.'),
    kind: LogEntry.shape.kind,
    received_at: Timestamp.describe('When the board took it in.'),
    payload: z.string().nullable().describe('The exact text; null once it was erased.'),
  })
  .describe('A log entry of the account that is no submission.')
  .meta({ id: 'ExportedEntry' });

const ExportedSubmission = object('ExportedSubmission', 'A submission with what was sent.', {
  log_index: LogIndex.describe('Its place in the log.'),
  id: UuidV7.describe("The submission's name on this board."),
  submission_id: UuidV7.describe('The name that its sender gave it.'),
  state: z
    .enum(['accepted', 'held', 'rejected', 'withdrawn'])
    .describe('What became of it as a whole.'),
  received_at: Timestamp.describe('When the board took it in.'),
  checks: z.array(Check).describe('What checks found about it.'),
  envelope: LoggedEnvelope.nullable().describe('What was sent; null once it was erased.'),
});

const ExportedBucket = z
  .strictObject({
    day: Day,
    provider: Label,
    model: Label,
    tool: Label,
    input: TokenCount,
    output: TokenCount,
    cache_write: TokenCount.nullable().describe('Null if not reported.'),
    cache_read: TokenCount.nullable().describe('Null if not reported.'),
    fingerprint: z
      .string()
      .max(80)
      .nullable()
      .describe('The fingerprint of the responses behind it, as it was sent; null if none was.'),
    device: z.uuid().describe('The device that states it.'),
    log_index: LogIndex.describe('The log entry that states it.'),
    counts: z.boolean().describe('Whether it, or a part of it, counts on the board.'),
    counted: z
      .strictObject({
        input: TokenCount,
        output: TokenCount,
        cache_write: TokenCount.nullable(),
        cache_read: TokenCount.nullable(),
      })
      .describe(
        'What of it counts: less than was stated where other devices sent the same responses.',
      ),
  })
  .describe('What a device last stated of one day, provider, model and tool.')
  .meta({ id: 'ExportedBucket' });

export const AccountExport = object('AccountExport', {
  exported_at: Timestamp.describe('When it was made.'),
  account: z.uuid().describe('The account, as the log names it.'),
  created_at: Timestamp.describe('When the account was made.'),
  profile: Profile,
  former_codenames: z.array(z.string()).describe('Names that still lead to the account.'),
  avatar: z
    .strictObject({ sha256: Digest, webp: z.string().describe('The picture, base64.') })
    .nullable()
    .describe('Null if there is none.'),
  methods: z.array(ExportedMethod).describe('The ways of signing in.'),
  sessions: z.array(ExportedSession).describe('The browsers that are signed in.'),
  applications: z.array(ExportedApplication).describe('The applications that were let in.'),
  events: z.array(ExportedEvent).describe('What happened to the account, newest first.'),
  keeper: z.array(ExportedAction).describe('What keepers did with the account, oldest first.'),
  messages: z.array(ExportedMessage).describe('What was written to the keeper, newest first.'),
  devices: z.array(ExportedDevice).describe('Oldest first.'),
  log: z.array(ExportedEntry).describe('Oldest first.'),
  submissions: z.array(ExportedSubmission).describe('Oldest first.'),
  buckets: z.array(ExportedBucket).describe('All that devices state now, by day.'),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = defineRoute('exportAccount', {
  auth: 'account',
  reply: AccountExport,
});
