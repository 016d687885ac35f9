/** How the page gets at the board: with the session's cookie on the board itself, with a token elsewhere. */
import type { Peers } from '#core/contract/peers.ts';

/** Why there is no answer, for a person and for an agent. */
export interface Refusal {
  /** A code of the board's problems, or `unreachable`. */
  code: string;
  title: string;
  detail: string;
  /** What to do about it. */
  hint: string | null;
}

/** What came of asking. */
export type PeersAnswer =
  { kind: 'peers'; peers: Peers } | { kind: 'signed-out' } | { kind: 'refused'; refusal: Refusal };

export interface Access {
  /** Asks for the peers of who is signed in. Never rejects. */
  peers(query: URLSearchParams): Promise<PeersAnswer>;
  /** The address of the sign-in, which leads back here, or what goes there. */
  readonly signIn: string | (() => Promise<void> | void);
}
