/** Shares on a line that ends at 1, compared with the expected share. */
import { type Markup, at, el } from './svg.ts';

interface ShareTrack {
  shares: readonly number[];
  promised: number;
  /** The share at the left end; smaller ones are drawn there, too. */
  from: number;
}

/**
 * A dot for each share, a line from the smallest to the greatest, and a mark at the expected share. The numbers
 * next to it contain the same information.
 */
export function shareTrack({ shares, promised, from }: ShareTrack): Markup {
  const percent = (share: number) => {
    return `${at(100 * Math.max(0, (share - from) / (1 - from)))}%`;
  };
  const [least, greatest] = [Math.min(...shares), Math.max(...shares)];
  const across = { y1: '50%', y2: '50%' };
  return el(
    'svg',
    { class: 'share-track', 'aria-hidden': 'true' },
    el('line', { class: 'track', x1: '0%', x2: '100%', ...across }),
    el('line', { class: 'promised', x1: percent(promised), x2: percent(promised), y2: '100%' }),
    el('line', { class: 'span', x1: percent(least), x2: percent(greatest), ...across }),
    ...shares.map((share) => el('circle', { cx: percent(share), cy: '50%', r: 3 })),
  );
}
