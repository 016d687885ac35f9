import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import type { Interaction, Interactions } from './provider.ts';

/** An interaction, and the cookies of the browser that answers it. */
export interface Answering {
  uid: string;
  cookieHeader: string | null;
}

/**
 * What a browser is asked, and what takes its answer. Somebody may be sent to what another began, and
 * would then answer for that one: only the browser that began it gets this.
 *
 * @throws {DomainError} `interaction_expired` if it is over, or another browser's.
 */
export async function readInteraction(
  { provider: { interactions } }: AppContext,
  { uid, cookieHeader }: Answering,
): Promise<{ interactions: Interactions; interaction: Interaction }> {
  const interaction = interactions?.isOf(uid, cookieHeader) ? await interactions.read(uid) : null;
  if (interactions && interaction) return { interactions, interaction };
  throw interactionOver();
}

export function interactionOver(): DomainError {
  return new DomainError('interaction_expired', 'This is over, or began in another browser');
}
