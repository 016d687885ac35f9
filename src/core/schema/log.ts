/** The public log as the wire shows it. */
import * as z from 'zod';
import { object } from './object.ts';
import { Digest, Timestamp, UuidV7 } from './scalars.ts';
import { Envelope } from './snapshot.ts';

/** The media type of what the board signs as the head of the log. */
export const LOG_HEAD_PAYLOAD_TYPE = 'application/vnd.opbench.log-head.v1+json';

export const LogKind = z
  .enum([
    'board-key',
    'enroll',
    'erase',
    'hide',
    'hold',
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
  .describe('What the entry tells.')
  .meta({ id: 'LogKind' });
export type LogKind = z.infer<typeof LogKind>;

export const LogEntry = object('LogEntry', 'One entry of the log, chained to the one before.', {
  log_index: z.int().min(1).describe('1 for the first entry, without gaps.'),
  kind: LogKind,
  previous: Digest.describe('The hash of the entry before; 64 zeros for the first.'),
  received_at: Timestamp.describe('When the board took it in.'),
  payload_digest: Digest.describe('SHA-256 of salt and payload.'),
  entry_hash: Digest.describe(
    'SHA-256 of the line index, kind, previous, received_at, payload_digest, each ended by a line feed.',
  ),
  salt: Digest.nullable().describe(
    '32 bytes; null once the entry was erased, and while its operator is anonymous or private.',
  ),
  payload: z
    .string()
    .nullable()
    .describe(
      "The exact text. Null where the salt is, and for snapshots, whose payload is the submission's envelope.",
    ),
  submission: UuidV7.nullable().describe(
    'The submission of a snapshot; null for other kinds, and where the salt is.',
  ),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const SignedLogHead = z
  .strictObject({
    log_index: z.int().min(1).describe('The newest entry.'),
    entry_hash: Digest.describe('Its hash.'),
    signature: Envelope.describe("The board's signature over both."),
  })
  .describe('The end of the log, as the board signs it.')
  .meta({ id: 'SignedLogHead' });
export type SignedLogHead = z.infer<typeof SignedLogHead>;
