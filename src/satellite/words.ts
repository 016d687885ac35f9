/** Texts of the page. */
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

/** Factors between the caller's and a peer's yield, one for each token type. @example `×1.52` */
export function deltaTexts({ deltas }: Delta): string[] {
  if (deltas === null) return [NONE, NONE, NONE];
  const { cache_read, output, input } = deltas;
  return [cache_read, output, input].map((delta) => {
    const value = Math.exp(delta);
    const isFar = value >= 1e6 || value < 1e-3;
    return `×${isFar ? value.toExponential(2).replace('e+', 'e') : factor.format(value)}`;
  });
}

/** The factors on one line. @example `reads ×0.98, output ×1.40, input ×2.00` */
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

/** Why there are no factors; null if there are. @example `no factors: your share of cache reads is 0` */
export function zeroShareText({ zero_share }: Delta): string | null {
  if (zero_share === null) return null;
  const { whose, pillar } = zero_share;
  const are = whose === 'both' ? 'are' : 'is';
  return `no factors: ${WHOSE[whose]} of ${PILLAR_NAMES[pillar]} ${are} 0`;
}

export const DELTA_LEGEND =
  'The factors for reads, output and input show why a peer’s yield differs from yours. A factor above 1 raises the peer’s yield. The three multiplied give the peer’s yield divided by yours.';

/** @example `ada, class Delta. As of 21 Nov 2026, 12:05 UTC.` */
export function standingText({ codename, class_tier, generated_at }: Peers): string {
  const tier = classText(class_tier);
  const who = tier === null ? `${codename}, unclassed` : `${codename}, class ${tier}`;
  return `${who}. As of ${momentText(generated_at, 'instant')}.`;
}

const OFFERS: Readonly<Record<Offer, string>> = {
  native: 'This browser supports WebMCP, so its agents find the tool automatically.',
  polyfill:
    'This browser does not support WebMCP. The page provides its own version, which extensions and browser automation can use.',
  none: 'This browser did not allow the page to offer the tool. WebMCP needs a page that is not in a frame and is loaded over https or from this computer.',
};

export function offerText(offer: Offer): string {
  return OFFERS[offer];
}

/** The button that restores the view after an agent's call. */
export const SHOW_AS_BEFORE = 'Restore previous view';

/**
 * Describes an agent's last call.
 *
 * @param limit The requested number of peers in each group; null for the default.
 */
export function calledText(answer: PeersAnswer, limit: string | null, at: Date): string {
  const when = `An agent called the tool at ${momentText(at.toISOString(), 'clock')}`;
  switch (answer.kind) {
    case 'peers':
      return limit === null
        ? `${when} and received the peers shown above.`
        : `${when} and received up to ${limit} peers of each group, as requested.`;
    case 'signed-out':
      return `${when}. It needs you to sign in.`;
    case 'refused':
      return `${when} and received an error: ${answer.refusal.title.toLowerCase()}.`;
  }
}
