/** Texts of the companion site. */
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

/** How a peer's share of each token type changes the caller's yield, as factors. @example `×1.52` */
export function deltaTexts({ deltas }: Delta): string[] {
  if (deltas === null) return [NONE, NONE, NONE];
  const { cache_read, output, input } = deltas;
  return [cache_read, output, input].map((delta) => {
    const value = Math.exp(delta);
    const isFar = value >= 1e6 || value < 1e-3;
    return `×${isFar ? value.toExponential(2).replace('e+', 'e') : factor.format(value)}`;
  });
}

/** The same on one line. @example `reads ×0.98, output ×1.40, input ×2.00` */
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

/** Why factors are missing; null if they exist. @example `no factors: your share of cache reads is 0` */
export function zeroShareText({ zero_share }: Delta): string | null {
  if (zero_share === null) return null;
  const { whose, pillar } = zero_share;
  const are = whose === 'both' ? 'are' : 'is';
  return `no factors: ${WHOSE[whose]} of ${PILLAR_NAMES[pillar]} ${are} 0`;
}

export const DELTA_LEGEND =
  'Reads, output and input show where the difference in yield comes from. Each compares a peer’s share of that token type with yours. Their product is the peer’s yield divided by yours. Factors above 1 raise the peer’s yield.';

/** @example `ada, class Delta. As of 21 Nov 2026, 12:05 UTC.` */
export function standingText({ codename, class_tier, generated_at }: Peers): string {
  const tier = classText(class_tier);
  const who = tier === null ? `${codename}, unclassed` : `${codename}, class ${tier}`;
  return `${who}. As of ${momentText(generated_at, 'instant')}.`;
}

const OFFERS: Readonly<Record<Offer, string>> = {
  native: 'This browser supports WebMCP, so its agents find the tool automatically.',
  polyfill:
    'This browser does not support WebMCP. The page includes a substitute that extensions and browser automation can find.',
  none: 'This browser did not allow the page to offer the tool. WebMCP needs a top-level page that is served over HTTPS or from this device.',
};

export function offerText(offer: Offer): string {
  return OFFERS[offer];
}

/** The button that shows the default number of peers after an agent asked for another. */
export const SHOW_AS_BEFORE = 'Show the default list';

/**
 * The last answer to an agent.
 *
 * @param limit The number per group that it asked for; null for the board's default.
 */
export function calledText(answer: PeersAnswer, limit: string | null, at: Date): string {
  const when = `An agent called the tool at ${momentText(at.toISOString(), 'clock')}`;
  switch (answer.kind) {
    case 'peers':
      return limit === null
        ? `${when} and received the list above.`
        : `${when} and received at most ${limit} per group, as requested.`;
    case 'signed-out':
      return `${when} and received a request to sign in.`;
    case 'refused':
      return `${when} and received an error: ${answer.refusal.title.toLowerCase()}.`;
  }
}
