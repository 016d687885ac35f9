import type { AppContext } from '#server/context.ts';
import type { Interaction } from './provider.ts';
import { type ConsentAnswer, readConsentRequest } from './consent-request.ts';

/** What a person is asked, and as whom. */
export interface Question extends Interaction {
  /** Null before a sign-in. */
  codename: string | null;
}

/**
 * What a browser is asked.
 *
 * @throws {DomainError} `interaction_expired` if it is over, or another browser's.
 */
export async function readQuestion(ctx: AppContext, answering: ConsentAnswer): Promise<Question> {
  const { interaction } = await readConsentRequest(ctx, answering);
  const operator = ctx.store.operators.byPublicId(interaction.account ?? '');
  return { ...interaction, codename: operator?.codename ?? null };
}
