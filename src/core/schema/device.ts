/** Devices: installations of the command that sign for an operator. */
import * as z from 'zod';
import { RevokedReason } from './operator.ts';
import { Digest, KeyId, OwnLabel, PublicKey, Timestamp } from './scalars.ts';

export const ENROLLMENT_TYPE = 'opbench-enrollment/1';
export const ENROLLMENT_PAYLOAD_TYPE = 'application/vnd.opbench.enrollment.v1+json';

/** What a new key signs to prove that its holder asks for this enrolment. */
export const EnrollmentStatement = z
  .strictObject({
    type: z.literal(ENROLLMENT_TYPE).describe('Names this schema.'),
    audience: z.string().min(1).max(500).describe('The base URL of the board.'),
    code_hash: Digest.describe('SHA-256 of the normalized code, 64 lower-case hex digits.'),
    public_key: PublicKey.describe('The key to enroll: 32 bytes, base64url without padding.'),
    installation_id: z.uuid().describe('Stays the same when this installation enrolls again.'),
    issued_at: Timestamp.describe('When the proof was signed.'),
  })
  .meta({ id: 'EnrollmentStatement' });
export type EnrollmentStatement = z.infer<typeof EnrollmentStatement>;

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
  })
  .describe('An installation of the command that signs for its operator.')
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;
