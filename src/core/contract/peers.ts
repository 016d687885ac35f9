/** Whom an operator can be compared with. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardHead, ClassTier, UnrankedReason } from '../schema/board.ts';
import { PeerGroups } from '../schema/peer.ts';
import { Codename } from '../schema/scalars.ts';
import { defineRoute } from './route.ts';

/** The most entries of a group, and how many it has if nothing is said. */
export const SHORT_LIMIT = { max: 20, default: 5 } as const;

/** How many of the best to answer, where a list has no pages. */
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
  codename: Codename.describe('Whose peers they are: the caller of all that follows.'),
  class_tier: ClassTier,
  reasons: z
    .array(UnrankedReason)
    .describe('What is missing to be ranked by yield in 90 days; empty when ranked.'),
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
