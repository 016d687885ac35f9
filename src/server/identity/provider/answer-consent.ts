import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import type { Interaction } from './provider.ts';
import { type Answering, readInteraction } from './consent-request.ts';
import { operatorHere } from '#server/operator/operator.ts';

/**
 * Answers whether an application may act for who is asked: where to send the browser, and to whom that is.
 *
 * @throws {DomainError} `interaction_expired` if it is over, another browser's, or who is asked signed out.
 */
export async function answerConsent(
  ctx: AppContext,
  answering: Answering,
  verdict: 'approve' | 'deny',
): Promise<{ name: string; href: string }> {
  const { interactions, interaction } = await readInteraction(ctx, answering);
  const { name: called, redirectHost } = interaction.client;
  const name = called ?? redirectHost;
  if (verdict === 'deny') return { name, href: await interactions.deny(answering.uid) };
  const operator_id = await signedIn(ctx, answering, interaction);
  const href = await interactions.approve(answering.uid);
  endOldest(ctx, operator_id);
  const event = { kind: 'application_let_in', detail: name } as const;
  ctx.store.accountEvents.add({ operator_id, ...event, created_at: ctx.now().toISOString() });
  return { name, href };
}

/** Of an operator who let very many applications in, the oldest are shut out. */
function endOldest({ store }: AppContext, operator_id: number): void {
  const { most } = ACCOUNT_LIMITS.applications;
  const tooMany = store.applications.ofOperator(operator_id).slice(most);
  store.transaction(() => tooMany.forEach(({ grant_hash }) => store.oidc.revokeGrant(grant_hash)));
}

/** A page that stayed open in a browser that was signed out lets nobody in any more. */
async function signedIn(
  ctx: AppContext,
  { cookieHeader }: Answering,
  { account }: Interaction,
): Promise<number> {
  const operator = await operatorHere(ctx, cookieHeader);
  if (operator && operator.public_id === account) return operator.id;
  throw new DomainError('interaction_expired', 'Who is asked is not signed in here any more');
}
