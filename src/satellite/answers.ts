/** How the page gets at the board (with the session's cookie on the board itself, with a token elsewhere), and what the answers mean to it. */
import type { Peers } from '#core/contract/peers.ts';

export interface RefusedAnswer {
  /** A code of the board's problems, or `unreachable`. */
  code: string;
  title: string;
  detail: string;
  hint: string | null;
}

export type PeersAnswer =
  | { kind: 'peers'; peers: Peers }
  | { kind: 'signed-out' }
  | { kind: 'refused'; refusal: RefusedAnswer };

export interface Access {
  /** Asks for the peers of who is signed in. Never rejects. */
  peers(query: URLSearchParams): Promise<PeersAnswer>;
  /** The address of the sign-in, which leads back here, or what goes there. */
  readonly signIn: string | (() => Promise<void> | void);
}

/** A board that takes longer is not going to answer. */
export const TIMEOUT_MS = 20_000;

/** What a refusal holds; one that is not the board's may hold anything. */
type SaidRefusal = Partial<RefusedAnswer>;

const UNREACHABLE: RefusedAnswer = {
  code: 'unreachable',
  title: 'The board did not answer',
  detail: 'Nothing came back that a board says',
  hint: 'Look whether this machine is online, then try again.',
};

/** What a request for peers came to; never rejects. */
export async function peersAnswerOf(asked: Promise<Response>): Promise<PeersAnswer> {
  try {
    const response = await asked;
    if (response.status === 401) return { kind: 'signed-out' };
    const body: unknown = await response.json();
    if (response.ok) return { kind: 'peers', peers: body as Peers };
    const wait = response.headers.get('Retry-After');
    return refused(body as SaidRefusal, wait === null ? null : `Try again in ${wait} seconds.`);
  } catch {
    return { kind: 'refused', refusal: UNREACHABLE };
  }
}

function refused(
  { code, title, detail, hint = null }: SaidRefusal,
  when: string | null,
): PeersAnswer {
  const isProblem = code !== undefined && title !== undefined && detail !== undefined;
  const refusal = isProblem ? { code, title, detail, hint: when ?? hint } : UNREACHABLE;
  return { kind: 'refused', refusal };
}
