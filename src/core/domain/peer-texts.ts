/** Why nobody is a peer, in words to the caller: the same in the command and on the companion site. */
import type { PeerGroups } from '../schema/peer.ts';

type Because = NonNullable<PeerGroups[keyof PeerGroups]['empty_because']>;

/** Why a group is empty. */
export const NOBODY_TEXTS: Readonly<Record<Because, string>> = {
  not_ranked: 'You are not ranked by yield over 90 days.',
  highest_class: 'Yours is the highest class.',
  nobody_above: 'Nobody with a page of their own is one or two classes above.',
  nobody_in_class: 'Nobody else with a page of their own is in your class.',
  velocity_not_ranked: 'You are not ranked by velocity, so nothing tells which is weaker.',
  nobody_stronger: 'Nobody with a page of their own is stronger there.',
};
