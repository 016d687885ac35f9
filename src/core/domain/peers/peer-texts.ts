/** Why nobody is a peer, in words: the same in answers, in the command and on the companion site. */
import type { PeerGroups } from '#core/schema/peer.ts';

type Because = NonNullable<PeerGroups[keyof PeerGroups]['empty_because']>;

const NOBODY_TEXTS: Readonly<Record<Because, string>> = {
  not_ranked: 'Not ranked by yield over 90 days.',
  highest_class: 'There is no higher class.',
  nobody_above: 'No operator with a page is one or two classes above.',
  nobody_in_class: 'No other operator with a page is in the same class.',
  velocity_not_ranked: 'Not ranked by velocity, so the weaker metric is unknown.',
  nobody_stronger: 'No operator with a page is stronger in the weaker metric.',
};

/** Why a group is empty. */
export function nobody<Code extends Because>(code: Code) {
  return { empty_because: code, detail: NOBODY_TEXTS[code] };
}

/** What a group says that is not empty. */
export const SOMEBODY = { empty_because: null, detail: null } as const;
