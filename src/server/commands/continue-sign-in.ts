import type { AppContext } from '../context.ts';
import { type Answering, readInteraction } from '../interaction.ts';

/**
 * Where an authorization goes on that waits for a sign-in: as who just signed in by one of the methods,
 * or else as who is signed in at the board. Null if the person has yet to be asked.
 *
 * @param proof What the method gave the browser.
 * @throws {DomainError} `interaction_expired` if it is over, or another browser's.
 */
export async function continueSignIn(
  ctx: AppContext,
  answering: Answering,
  proof: string | null,
): Promise<string | null> {
  const { interactions, interaction } = await readInteraction(ctx, answering);
  const { uid, prompt, mustAsk } = interaction;
  if (prompt === 'login' && proof !== null) return interactions.redeem(uid, proof);
  if (prompt === 'consent' || mustAsk) return null;
  const session = await ctx.sessions.read(answering.cookieHeader);
  const operator = session && ctx.store.operators.byId(session.operator_id);
  return operator ? interactions.finishLogin(uid, operator.public_id) : null;
}
