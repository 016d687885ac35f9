/** The page's content: the board's last answer, and the section for agents. */
import type { Peers } from '#core/contract/peers.ts';
import { isUnseen } from '../components/text/entry-words.ts';
import { sentence } from '../components/text/format.ts';
import type { Access, PeersAnswer, RefusedAnswer } from './answers.ts';
import { element, elementOf } from './dom.ts';
import { peerSections } from './peer-tables.ts';
import { DELTA_LEGEND, SHOW_AS_BEFORE, calledText, offerText, standingText } from './words.ts';
import type { Offer } from './web-mcp.ts';

export interface Page {
  show(answer: PeersAnswer): void;
  showOffer(offer: Offer): void;
  /** Shows an agent's call and its answer; `limit` is the requested number of peers in each group, or null. */
  showCall(answer: PeersAnswer, limit: string | null): void;
}

interface PageOptions {
  access: Access;
  /** The board's URL, to which operator links lead; empty on the board itself. */
  board: string;
  again(): void;
}

export function pageOf(options: PageOptions): Page {
  const [status, answered, agent] = ['status', 'answer', 'agent'].map(elementOf) as Parts;
  let shown = '';
  const show = (answer: PeersAnswer) => {
    agent.hidden = false;
    // Unchanged content is not replaced, so that the reader keeps the scroll position and focus.
    const text = JSON.stringify(answer);
    if (text === shown) return;
    shown = text;
    status.textContent = statusOf(answer);
    answered.replaceChildren(...contentOf(answer, options));
  };
  return {
    show,
    showOffer: (offer) => (elementOf('offer').textContent = offerText(offer)),
    showCall: (answer, limit) => {
      show(answer);
      elementOf('called').textContent = calledText(answer, limit, new Date());
      const isOther = answer.kind === 'peers' && limit !== null;
      const actions = isOther ? [actionOf(SHOW_AS_BEFORE, options.again)] : [];
      elementOf('return').replaceChildren(...actions);
    },
  };
}

type Parts = [status: HTMLElement, answered: HTMLElement, agent: HTMLElement];

function statusOf(answer: PeersAnswer): string {
  switch (answer.kind) {
    case 'peers':
      return standingText(answer.peers);
    case 'signed-out':
      return 'You are not signed in.';
    case 'refused':
      return `${answer.refusal.title}.`;
  }
}

function contentOf(answer: PeersAnswer, options: PageOptions): Node[] {
  switch (answer.kind) {
    case 'peers':
      return answer.peers.reasons.length > 0
        ? [missingOf(answer.peers)]
        : [...peerSections(answer.peers, options.board), ...legendOf(answer.peers)];
    case 'signed-out':
      return [signInOf(options)];
    case 'refused':
      return [refusalOf(answer.refusal), nextOf(answer.refusal, options)];
  }
}

const PEERS_ARE_FOR =
  'Peers are available to operators who are ranked by yield over 90 days and all tools.';

function missingOf({ reasons }: Peers): HTMLElement {
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'missing' },
    element('h2', { id: 'missing' }, 'Not ranked yet'),
    element(
      'div',
      {},
      element(
        'p',
        {},
        `${PEERS_ARE_FOR} ${isUnseen(reasons) ? 'You are not ranked:' : 'You still need:'}`,
      ),
      element('ul', {}, ...reasons.map(({ detail }) => element('li', {}, detail))),
    ),
  );
}

function legendOf({ mentors, same_tier, complementary }: Peers): HTMLElement[] {
  const isEmpty = [mentors, same_tier, complementary].every(({ entries }) => entries.length === 0);
  return isEmpty
    ? []
    : [element('p', { class: 'legend soft small measure far-above' }, DELTA_LEGEND)];
}

function nextOf({ code }: RefusedAnswer, options: PageOptions): HTMLElement {
  return code === 'sign_in_failed' ? signInOf(options) : actionOf('Try again', options.again);
}

/** If the sign-in fails, the page remains and shows the error. */
function signInOf({ access: { signIn }, again }: PageOptions): HTMLElement {
  if (typeof signIn !== 'string') {
    return actionOf('Sign in', () => void Promise.resolve(signIn()).then(again));
  }
  return element(
    'p',
    { class: 'around' },
    element('a', { class: 'button target', href: signIn }, 'Sign in'),
  );
}

function actionOf(label: string, act: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'main' }, label);
  button.addEventListener('click', act);
  return element('p', { class: 'around' }, button);
}

function refusalOf({ detail, hint }: RefusedAnswer): HTMLElement {
  return element(
    'div',
    { class: 'callout around' },
    element('p', {}, sentence(detail)),
    hint === null ? null : element('p', {}, hint),
  );
}
