import * as z from 'zod';
import { LogEntry, SignedLogHead } from '../schema/log.ts';
import { ListQuery, pageOf } from './list.ts';
import { PublicRead, defineRoute } from './route.ts';
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

export const Log = z
  .strictObject({ head: SignedLogHead, ...pageOf(LogEntry, 'Entries after `since`') })
  .meta({ id: 'Log' });
export type Log = z.infer<typeof Log>;

export const getLog = defineRoute({
  ...PublicRead,
  id: 'getLog',
  tag: 'log',
  path: '/api/v1/log',
  summary: 'The append-only log, oldest first, with its signed head',
  description:
    'Live. Each entry is chained to the one before by its hash. What is erased keeps its digest, and what belongs to an anonymous or private operator shows nothing else, so that the chain still holds. All of it as one file, with envelopes, receipts and published boards, is `/log.ndjson.gz`; `opbench verify` checks both.',
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
          valid_from: Timestamp.describe('From when on it signs.'),
        }),
      )
      .describe('Newest first; the first one signs now.'),
  })
  .describe('The keys that signed receipts, newest first; the first one signs now.')
  .meta({ id: 'BoardKeys' });
export type BoardKeys = z.infer<typeof BoardKeys>;

export const getBoardKeys = defineRoute({
  ...PublicRead,
  id: 'getBoardKeys',
  tag: 'log',
  path: '/.well-known/opbench-keys.json',
  summary: "The board's own keys",
  limit: 'pages',
  cacheSeconds: 300,
  reply: BoardKeys,
});
