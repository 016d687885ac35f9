/** Devices: installations of the command that sign for an operator. */
import * as z from 'zod';
import { object } from './object.ts';
import { RevokedReason } from './operator.ts';
import {
  Day,
  Digest,
  KeyId,
  Label,
  OwnLabel,
  PublicKey,
  Timestamp,
  TokenCount,
} from './scalars.ts';
import { KNOWN_DAYS, SHOWN_REPLACED } from './shown.ts';

export const ENROLLMENT_TYPE = 'opbench-enrollment/1';
export const ENROLLMENT_PAYLOAD_TYPE = 'application/vnd.opbench.enrollment.v1+json';

/** What a new key signs to prove that its holder asks for this enrolment. */
export const EnrollmentStatement = object('EnrollmentStatement', {
  type: z.literal(ENROLLMENT_TYPE).describe('Names this schema.'),
  audience: z.string().min(1).max(500).describe('The base URL of the board.'),
  code_hash: Digest.describe('SHA-256 of the normalized code, 64 lower-case hex digits.'),
  public_key: PublicKey.describe('The key to enroll: 32 bytes, base64url without padding.'),
  installation_id: z.uuid().describe('Stays the same when this installation enrolls again.'),
  issued_at: Timestamp.describe('When the proof was signed.'),
  replaces: z.uuid().optional().describe('The device that this one replaces, if any.'),
});
export type EnrollmentStatement = z.infer<typeof EnrollmentStatement>;

const ReplacedDevice = z
  .strictObject({
    id: z.uuid().describe("The replaced device's name on this board."),
    label: OwnLabel,
    replaced_at: Timestamp.describe('When it was replaced.'),
  })
  .describe('A device that another one replaced: what it sent counts as sent by that one.')
  .meta({ id: 'ReplacedDevice' });

export const Device = z
  .strictObject({
    id: z.uuid().describe("The device's name on this board."),
    label: OwnLabel,
    keyid: KeyId,
    enrolled_at: Timestamp.describe('When its key was enrolled.'),
    revoked_at: Timestamp.nullable().describe('When its key was revoked; null while it may sign.'),
    revoked_reason: RevokedReason.nullable().describe(
      'Why its key may not sign any more; null while it may.',
    ),
    last_submission_at: Timestamp.nullable().describe('Null before its first submission.'),
    replaced: z
      .array(ReplacedDevice)
      .max(SHOWN_REPLACED)
      .describe(`The devices that it replaced, the newest ${SHOWN_REPLACED} first.`),
  })
  .describe('An installation of the command that signs for its operator.')
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

const KnownDay = object('KnownDay', 'What a device states for one day and tool.', {
  day: Day,
  tool: Label,
  total: TokenCount.describe('All tokens that the device states for this day and tool.'),
  stated_at: Timestamp.describe('When the board took the newest submission that states it.'),
});

export const KnownDevice = z
  .strictObject({
    ...Device.pick({
      id: true,
      label: true,
      enrolled_at: true,
      revoked_at: true,
      last_submission_at: true,
    }).shape,
    days: z.array(KnownDay).max(KNOWN_DAYS).describe(`The latest ${KNOWN_DAYS}, newest day first.`),
  })
  .describe('A device of the account, with what it states for its latest days.')
  .meta({ id: 'KnownDevice' });
export type KnownDevice = z.infer<typeof KnownDevice>;
