/** Devices: installations of `opbench` that sign for an operator. */
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

/** What a new key signs to prove that its holder requests this enrollment. */
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
    id: z.uuid().describe('The ID of the replaced device on this board.'),
    label: OwnLabel,
    replaced_at: Timestamp.describe('When it was replaced.'),
  })
  .describe(
    'A device that another one replaced. Its submissions count as submissions of the new device.',
  )
  .meta({ id: 'ReplacedDevice' });

export const Device = z
  .strictObject({
    id: z.uuid().describe('The ID of the device on this board.'),
    label: OwnLabel,
    keyid: KeyId,
    enrolled_at: Timestamp.describe('When its key was enrolled.'),
    revoked_at: Timestamp.nullable().describe(
      'When its key was revoked; null while the key can sign.',
    ),
    revoked_reason: RevokedReason.nullable().describe(
      'Why its key can no longer sign; null while it can.',
    ),
    last_submission_at: Timestamp.nullable().describe('Null before its first submission.'),
    replaced: z
      .array(ReplacedDevice)
      .max(SHOWN_REPLACED)
      .describe(`The devices that it replaced, newest first; at most ${SHOWN_REPLACED}.`),
  })
  .describe('An installation of `opbench` that signs for its operator.')
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

const KnownDay = object('KnownDay', 'What a device reports for one day and tool.', {
  day: Day,
  tool: Label,
  total: TokenCount.describe('All tokens that the device reports for this day and tool.'),
  stated_at: Timestamp.describe('When the board received the newest submission that reports it.'),
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
  .describe('A device of the account, with what it reports for its latest days.')
  .meta({ id: 'KnownDevice' });
export type KnownDevice = z.infer<typeof KnownDevice>;
