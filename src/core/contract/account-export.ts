/** The export of everything that the board stores about the caller. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import {
  AccountEvent,
  Application,
  BrowserSession,
  LinkedMethod,
  Role,
} from '../schema/account.ts';
import { MailKind } from '../schema/member-mail.ts';
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
    id: z.uuid().describe('The ID of the device on this board.'),
    trust: Trust,
    label: z.string().describe('The name that the owner gave it; empty for self-reported records.'),
    installation_id: z
      .uuid()
      .nullable()
      .describe('The ID of the installation; null for self-reported records.'),
    created_at: Timestamp.describe('When the board first saw it.'),
    replaced_by: z
      .uuid()
      .nullable()
      .describe(
        'The device that replaced it and now owns its keys, submissions and counts; null if none.',
      ),
    replaced_at: Timestamp.nullable().describe('When it was replaced; null if it was not.'),
    keys: z.array(OperatorKey).describe('All keys of the device, oldest first.'),
  })
  .describe('A device, or the entry for self-reported records.')
  .meta({ id: 'ExportedDevice' });

const ExportedPasskey = z
  .strictObject({
    credential_id: z.string().describe('The ID of the credential, in base64url.'),
    public_key: z.string().describe('Its public key as a COSE key, in base64url.'),
  })
  .meta({ id: 'ExportedPasskey', description: 'What the board stores to check a passkey.' });

const ExportedMethod = LinkedMethod.omit({ id: true })
  .extend({ passkey: ExportedPasskey.optional().describe('Only for passkeys.') })
  .describe('A sign-in method.')
  .meta({ id: 'ExportedMethod' });

const ExportedSession = BrowserSession.omit({ current: true })
  .describe('A browser that is signed in.')
  .meta({ id: 'ExportedSession' });

const ExportedApplication = Application.omit({ id: true })
  .describe('A connected app.')
  .meta({ id: 'ExportedApplication' });

const ExportedAnswer = object('ExportedAnswer', 'An answer to a message.', {
  answer: z.string().describe('The text of the answer.'),
  created_at: Timestamp.describe('When an admin or moderator answered.'),
  is_mailed: z.boolean().describe('Whether it was also emailed.'),
});

const ExportedMessage = object('ExportedMessage', 'A message to the admin.', {
  subject: z.string().describe('The subject of the message.'),
  message: z.string().describe('The text of the message.'),
  created_at: Timestamp.describe('When the message was sent.'),
  mailed_at: Timestamp.nullable().describe('When it was emailed to the admin; null if it was not.'),
  done_at: Timestamp.nullable().describe(
    'When it was answered or marked as done; null while it is open.',
  ),
  answers: z.array(ExportedAnswer).describe('The answers, oldest first.'),
});

const ExportedEvent = AccountEvent.describe('An event of the account.').meta({
  id: 'ExportedEvent',
});

const ExportedEmail = object('ExportedEmail', 'The email that the account receives.', {
  address: z
    .string()
    .nullable()
    .describe('The address; null if the board can no longer decrypt it.'),
  kinds: z.array(MailKind).describe('The kinds that are turned on.'),
  silent_days: z.int().describe('After how many days without a submission a device is silent.'),
  confirmed_at: Timestamp.nullable().describe(
    'When the address was confirmed; null if it was not.',
  ),
  problem: z
    .enum(['rejected', 'unreadable'])
    .nullable()
    .describe(
      'Why nothing is sent: the mail server rejects the address, or it must be entered again; null if nothing is wrong.',
    ),
});

const QueuedEmail = object('QueuedEmail', 'An email to the account that is waiting or ended.', {
  kind: MailKind,
  about: z.string().describe('What it is about: a day, a challenge or a device.'),
  occurred_at: Timestamp.describe('When that happened.'),
  outcome: z
    .enum(['trying', 'sent', 'dropped', 'rejected'])
    .nullable()
    .describe('Null while it is waiting.'),
  ended_at: Timestamp.nullable().describe('When it was sent or dropped; null while it is waiting.'),
});

const ExportedAction = object('ExportedAction', 'An action of an admin on the account.', {
  action: z.string().describe('The action.'),
  reason: z.string().nullable().describe("The admin's reason; null if the action requires none."),
  created_at: Timestamp.describe('When the action was taken.'),
});

const ExportedEntry = z
  .strictObject({
    log_index: LogIndex.describe('The index of the entry in the log.'),
    kind: LogEntry.shape.kind,
    received_at: Timestamp.describe('When the board received it.'),
    payload: z.string().nullable().describe('The exact text; null if it was erased.'),
  })
  .describe('A log entry of the account other than a submission.')
  .meta({ id: 'ExportedEntry' });

const ExportedSubmission = object('ExportedSubmission', 'A submission with its envelope.', {
  log_index: LogIndex.describe('The index of the entry in the log.'),
  id: UuidV7.describe('The ID of the submission on this board.'),
  submission_id: UuidV7.describe('The ID that the device gave it.'),
  state: z
    .enum(['accepted', 'held', 'rejected', 'withdrawn'])
    .describe('The state of the whole submission.'),
  received_at: Timestamp.describe('When the board received it.'),
  checks: z.array(Check).describe('Findings of plausibility checks about it.'),
  envelope: LoggedEnvelope.nullable().describe('The envelope as received; null if it was erased.'),
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
      .describe('The fingerprint of the responses behind it, as received; null if there was none.'),
    device: z.uuid().describe('The device that reported it.'),
    log_index: LogIndex.describe('The log entry that contains it.'),
    counts: z.boolean().describe('Whether it counts on the board, in whole or in part.'),
    counted: z
      .strictObject({
        input: TokenCount,
        output: TokenCount,
        cache_write: TokenCount.nullable(),
        cache_read: TokenCount.nullable(),
      })
      .describe(
        'How much of it counts: less than reported if other devices submitted the same responses.',
      ),
  })
  .describe('The newest daily count of one device, day, provider, model and tool.')
  .meta({ id: 'ExportedBucket' });

const ExportedDay = object(
  'ExportedDay',
  'A day whose signed tokens changed after the end of the next day, or became fewer.',
  {
    day: Day,
    in_time: TokenCount.describe(
      'The most tokens of the day that had been stated by the end of the next day.',
    ),
    is_lowered: z.boolean().describe('Whether a correction or a withdrawal lowered the day.'),
  },
);

export const AccountExport = object('AccountExport', {
  exported_at: Timestamp.describe('When the export was created.'),
  account: z.uuid().describe('The ID of the account in the log.'),
  created_at: Timestamp.describe('When the account was created.'),
  profile: Profile,
  role: Role.describe('What the account may do on the admin pages.'),
  former_codenames: z
    .array(z.string())
    .describe('Earlier codenames that still redirect to the account.'),
  avatar: z
    .strictObject({ sha256: Digest, webp: z.string().describe('The picture in base64.') })
    .nullable()
    .describe('The profile picture; null if there is none.'),
  email: ExportedEmail.nullable().describe('Null while email is off.'),
  emails: z.array(QueuedEmail).describe('Waiting emails, and those of the last 30 days.'),
  methods: z.array(ExportedMethod).describe('The sign-in methods.'),
  sessions: z.array(ExportedSession).describe('The browsers that are signed in.'),
  applications: z.array(ExportedApplication).describe('The connected apps.'),
  events: z.array(ExportedEvent).describe('The events of the account, newest first.'),
  keeper: z.array(ExportedAction).describe('The actions of admins on the account, oldest first.'),
  own_actions: z
    .array(ExportedAction)
    .describe('What the account did as an admin or moderator, oldest first.'),
  messages: z.array(ExportedMessage).describe('The messages to the admin, newest first.'),
  devices: z.array(ExportedDevice).describe('The devices, oldest first.'),
  changed_days: z
    .array(ExportedDay)
    .describe('Days that changed late or became fewer, oldest first.'),
  log: z.array(ExportedEntry).describe('The other log entries, oldest first.'),
  submissions: z.array(ExportedSubmission).describe('The submissions, oldest first.'),
  buckets: z.array(ExportedBucket).describe('The current daily counts of all devices, by day.'),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = defineRoute('exportAccount', {
  auth: 'account',
  reply: AccountExport,
});
