/** What the page says in words. */
import type { Peers } from '#core/contract/peers.ts';
import type { Mentor, YieldPillar } from '#core/schema/peer.ts';
import { classText } from '../components/text/entry-words.ts';
import { NONE, momentText } from '../components/text/format.ts';
import type { PeersAnswer } from './answers.ts';
import type { Offer } from './web-mcp.ts';

type Delta = Pick<Mentor, 'deltas' | 'zero_share'>;

export const DELTA_LABELS = ['Reads', 'Output', 'Input'] as const;

const factor = new Intl.NumberFormat('en-US', {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** What a peer's share of each pillar makes of the caller's yield, as factors. @example `×1.52` */
export function deltaTexts({ deltas }: Delta): string[] {
  if (deltas === null) return [NONE, NONE, NONE];
  const { cache_read, output, input } = deltas;
  return [cache_read, output, input].map((delta) => {
    const value = Math.exp(delta);
    const isFar = value >= 1e6 || value < 1e-3;
    return `×${isFar ? value.toExponential(2).replace('e+', 'e') : factor.format(value)}`;
  });
}

/** The same in a line. @example `reads ×0.98, output ×1.40, input ×2.00` */
export function factorsText(peer: Delta): string {
  const texts = deltaTexts(peer);
  return DELTA_LABELS.map((label, at) => `${label.toLowerCase()}\u00a0${texts[at]}`).join(', ');
}

const PILLAR_NAMES: Readonly<Record<YieldPillar, string>> = {
  cache_read: 'cache reads',
  output: 'output',
  input: 'fresh input',
};
const WHOSE = { caller: 'your share', peer: 'their share', both: 'both shares' } as const;

/** Why there are no factors; null where there are. @example `no factors: your share of cache reads is 0` */
export function zeroShareText({ zero_share }: Delta): string | null {
  if (zero_share === null) return null;
  const { whose, pillar } = zero_share;
  const are = whose === 'both' ? 'are' : 'is';
  return `no factors: ${WHOSE[whose]} of ${PILLAR_NAMES[pillar]} ${are} 0`;
}

export const DELTA_LEGEND =
  'Reads, output and input tell what a peer does otherwise, as factors of yield by shares of all tokens: the three multiply to their yield over yours. Above 1 they gain by it.';

/** @example `ada, class Delta. As of 21 Nov 2026, 12:05 UTC.` */
export function standingText({ codename, class_tier, generated_at }: Peers): string {
  const tier = classText(class_tier);
  const who = tier === null ? `${codename}, unclassed` : `${codename}, class ${tier}`;
  return `${who}. As of ${momentText(generated_at, 'instant')}.`;
}

const OFFERS: Readonly<Record<Offer, string>> = {
  native: 'This browser has WebMCP, so its agents find the tool by themselves.',
  polyfill:
    'This browser has no WebMCP of its own. The page brings its own, which extensions and programs that drive the browser can find.',
  none: 'This browser did not let the page offer it. WebMCP needs a page of its own, sent over https or from this machine.',
};

export function offerText(offer: Offer): string {
  return OFFERS[offer];
}

/** What leads back from as many peers as an agent asked for. */
export const SHOW_AS_BEFORE = 'Show as before';

/**
 * What an agent was told last.
 *
 * @param limit How many of each group it asked for; null where it left that to the board.
 */
export function calledText(answer: PeersAnswer, limit: string | null, at: Date): string {
  const when = `An agent called the tool at ${momentText(at.toISOString(), 'clock')}`;
  switch (answer.kind) {
    case 'peers':
      return limit === null
        ? `${when} and was told what stands above.`
        : `${when} and was told at most ${limit} of each group, as it asked.`;
    case 'signed-out':
      return `${when} and was told to ask you to sign in.`;
    case 'refused':
      return `${when} and was told: ${answer.refusal.title.toLowerCase()}.`;
  }
}
