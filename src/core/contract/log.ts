import * as z from 'zod';
import { object } from '../schema/object.ts';
import { LogEntry, SignedLogHead } from '../schema/log.ts';
import { Envelope } from '../schema/snapshot.ts';
import { ListQuery, pageOf } from './list.ts';
import { defineRoute } from './route.ts';
import { KeyId, PublicKey, Timestamp } from '../schema/scalars.ts';

export const LogQuery = z.strictObject({
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(0))
    .default(0)
    .describe('Only entries after this index.'),
  ...ListQuery,
});
export type LogQuery = z.infer<typeof LogQuery>;

export const Log = object('Log', {
  head: SignedLogHead,
  ...pageOf(LogEntry, 'Entries after `since`'),
});
export type Log = z.infer<typeof Log>;

export const getLog = defineRoute('getLog', {
  auth: 'public',
  query: LogQuery,
  reply: Log,
  table: { row: LogEntry, rows: ({ entries }) => entries },
});

export const BoardKeys = z
  .strictObject({
    keys: z
      .array(
        z.strictObject({
          keyid: KeyId,
          public_key: PublicKey,
          log_index: z.int().min(1).describe('The log entry that introduced the key.'),
          valid_from: Timestamp.describe('When the key began to sign.'),
        }),
      )
      .describe('Newest first. The first one is the current signing key.'),
    log_key: z
      .strictObject({
        vkey: z.string().describe('Its name is the origin of the checkpoints.'),
        statement: Envelope.describe("The board's signature for it, as in the log."),
      })
      .nullable()
      .describe("The key of the log's checkpoints; null before the first one."),
  })
  .describe('The keys that sign receipts and the log.')
  .meta({ id: 'BoardKeys' });
export type BoardKeys = z.infer<typeof BoardKeys>;

export const getBoardKeys = defineRoute('getBoardKeys', { auth: 'public', reply: BoardKeys });
