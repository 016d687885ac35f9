/** How much of a requirement is met. The text next to it says the same. */
import { across } from './frame.ts';
import { type Markup, el } from './svg.ts';

/** @param share From 0 to 1. */
export function progressBar(share: number): Markup {
  const met = across(100 * Math.min(1, Math.max(0, share)));
  return el(
    'svg',
    { class: 'progress', 'aria-hidden': 'true' },
    el('line', { class: 'track', x1: '0%', x2: '100%', y1: '50%', y2: '50%' }),
    share > 0 && el('line', { class: 'met', x1: '0%', x2: met, y1: '50%', y2: '50%' }),
  );
}
