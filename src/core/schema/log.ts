/** The public log as the API shows it. */
import * as z from 'zod';
import { object } from './object.ts';
import { Digest, Timestamp, UuidV7 } from './scalars.ts';
import { Envelope } from './snapshot.ts';

/** The media type of the signed head of the log. */
export const LOG_HEAD_PAYLOAD_TYPE = 'application/vnd.opbench.log-head.v1+json';

export const LogKind = z
  .enum([
    'board',
    'board-key',
    'enroll',
    'erase',
    'hide',
    'hold',
    'log-key',
    'lost',
    'reject',
    'release',
    'restore',
    'revoke',
    'ruleset',
    'snapshot',
    'unhide',
    'visibility',
    'withdraw',
  ])
  .describe('What the entry records.')
  .meta({ id: 'LogKind' });
export type LogKind = z.infer<typeof LogKind>;

export const LogEntry = object(
  'LogEntry',
  'An entry of the public log, chained to the one before.',
  {
    log_index: z.int().min(1).describe('1 for the first entry, without gaps.'),
    kind: LogKind,
    previous: Digest.describe('The hash of the previous entry; 64 zeros for the first.'),
    received_at: Timestamp.describe('When the board received it.'),
    payload_digest: Digest.describe('SHA-256 of salt and payload.'),
    entry_hash: Digest.describe(
      'SHA-256 of log_index, kind, previous, received_at and payload_digest, each followed by a line feed.',
    ),
    salt: Digest.nullable().describe(
      '32 bytes; null if the entry was erased or lost, or while its operator is anonymous or private.',
    ),
    payload: z
      .string()
      .nullable()
      .describe(
        'The exact text. Null if the salt is null, and for snapshots, whose payload is the envelope of the submission.',
      ),
    submission: UuidV7.nullable().describe(
      'The submission ID of a snapshot; null for other kinds, and if the salt is null.',
    ),
  },
);
export type LogEntry = z.infer<typeof LogEntry>;

export const SignedLogHead = z
  .strictObject({
    log_index: z.int().min(1).describe('The index of the newest entry.'),
    entry_hash: Digest.describe('Its hash.'),
    signature: Envelope.describe("The board's signature over both."),
  })
  .describe('The newest entry of the log, signed by the board.')
  .meta({ id: 'SignedLogHead' });
export type SignedLogHead = z.infer<typeof SignedLogHead>;
