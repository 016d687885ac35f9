/** The reader's own row on a board, whose page is the same for everyone. */
import { find } from './dom.ts';

export function showYourRank(): void {
  const slot = find('[data-your-rank]');
  // If the request fails, the link to the row stays.
  if (slot) load(slot).catch(() => undefined);
}

/** The answer is empty for signed-out readers; the link then stays. */
async function load(slot: HTMLElement): Promise<void> {
  const answer = await fetch(slot.dataset['yourRank'] ?? '', { redirect: 'error' });
  if (answer.status === 200) slot.innerHTML = await answer.text();
}
