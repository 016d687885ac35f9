/** The keys that the board itself signs with. */
import * as z from 'zod';
import { KeyId, PublicKey, Timestamp } from '../schema/scalars.ts';
import { NoParams, NoQuery, PublicRead, defineRoute } from './route.ts';

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
  params: NoParams,
  query: NoQuery,
  reply: BoardKeys,
  errors: [],
});
