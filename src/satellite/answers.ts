/** What the board's answers mean to the page. */
import type { Peers } from '#core/contract/peers.ts';
import type { PeersAnswer, Refusal } from './access.ts';

/** A board that takes longer is not going to answer. */
export const TIMEOUT_MS = 20_000;

/** What a refusal holds; one that is not the board's may hold anything. */
type Told = Partial<Refusal>;

const UNREACHABLE: Refusal = {
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
    return refused(body as Told, wait === null ? null : `Try again in ${wait} seconds.`);
  } catch {
    return { kind: 'refused', refusal: UNREACHABLE };
  }
}

function refused({ code, title, detail, hint = null }: Told, when: string | null): PeersAnswer {
  const isProblem = code !== undefined && title !== undefined && detail !== undefined;
  const refusal = isProblem ? { code, title, detail, hint: when ?? hint } : UNREACHABLE;
  return { kind: 'refused', refusal };
}
