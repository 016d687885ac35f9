/** Access to the board (with the session cookie on the board itself, with a token elsewhere), and its answers. */
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
  /** Requests the signed-in operator's peers. Never rejects. */
  peers(query: URLSearchParams): Promise<PeersAnswer>;
  /** The sign-in URL, which returns to this page, or a function that starts the sign-in. */
  readonly signIn: string | (() => Promise<void> | void);
}

/** A request that takes longer has failed. */
export const TIMEOUT_MS = 20_000;

/** A problem document. Responses from elsewhere may contain anything. */
type SaidRefusal = Partial<RefusedAnswer>;

const UNREACHABLE: RefusedAnswer = {
  code: 'unreachable',
  title: 'The board did not answer',
  detail: 'The response is missing or not from a board',
  hint: 'Check that this device is online, then try again.',
};

/** The result of a request for peers. Never rejects. */
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
