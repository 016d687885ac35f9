/** Operators similar to another one. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardHead, ClassTier, UnrankedReason } from '../schema/board.ts';
import { PeerGroups } from '../schema/peer.ts';
import { Codename } from '../schema/scalars.ts';
import { defineRoute } from './route.ts';

/** Maximum and default number of entries of a group. */
export const SHORT_LIMIT = { max: 20, default: 5 } as const;

/** The `limit` parameter of a list without pages. */
export function shortLimit(ofWhat: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(SHORT_LIMIT.max))
    .default(SHORT_LIMIT.default)
    .describe(`${ofWhat}: 1 to ${SHORT_LIMIT.max}.`);
}

export const PeersQuery = z.strictObject({ limit: shortLimit('Entries of each group') });
export type PeersQuery = z.infer<typeof PeersQuery>;

const { shape: head } = BoardHead.omit({ metric: true });

export const Peers = object('Peers', {
  ...head,
  codename: Codename.describe(
    'The operator whose peers are listed. Other descriptions call this operator the caller.',
  ),
  class_tier: ClassTier,
  reasons: z
    .array(UnrankedReason)
    .describe(
      'The requirements for a rank by yield in 90 days that are not met; empty when ranked.',
    ),
  ...PeerGroups.shape,
});
export type Peers = z.infer<typeof Peers>;

export const getOperatorPeers = defineRoute('getOperatorPeers', {
  auth: 'public',
  params: z.strictObject({ codename: Codename }),
  query: PeersQuery,
  reply: Peers,
});

export const getPeers = defineRoute('getPeers', {
  auth: 'operator',
  query: PeersQuery,
  reply: Peers,
});
