/** How the page calls the board: with the session cookie on the board itself, with an access token elsewhere. */
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
  /** Requests the peers of the signed-in operator. Never rejects. */
  peers(query: URLSearchParams): Promise<PeersAnswer>;
  /** The URL of the sign-in, which returns here, or a function that starts it. */
  readonly signIn: string | (() => Promise<void> | void);
}

/** Requests are aborted after this time. */
export const TIMEOUT_MS = 20_000;

/** The body of an error, which may not come from the board. */
type SaidRefusal = Partial<RefusedAnswer>;

const UNREACHABLE: RefusedAnswer = {
  code: 'unreachable',
  title: 'The board did not answer',
  detail: 'The request failed, or the answer was not from a board',
  hint: 'Check your internet connection, then try again.',
};

/** Converts the response to a request for peers. Never rejects. */
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
