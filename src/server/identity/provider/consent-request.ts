import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { operatorHere } from '#server/operator/operator.ts';
import type { Interaction, Interactions } from './provider.ts';

export interface ConsentAnswer {
  uid: string;
  cookieHeader: string | null;
}

/**
 * The interaction of a browser, and the interface that takes its answer. Only the browser that began an
 * interaction gets it. Otherwise, somebody could be tricked into answering for another person.
 */
export async function readConsentRequest(
  { provider: { interactions } }: AppContext,
  { uid, cookieHeader }: ConsentAnswer,
): Promise<{ interactions: Interactions; interaction: Interaction }> {
  const interaction = interactions?.isOf(uid, cookieHeader) ? await interactions.read(uid) : null;
  if (interactions && interaction) return { interactions, interaction };
  throw consentRequestOver();
}

export function consentRequestOver(): DomainError {
  return new DomainError(
    'interaction_expired',
    'This sign-in has ended, or started in another browser',
  );
}

/** Allows or denies an app's access. Returns where to send the browser, and the app's name. */
export async function answerConsent(
  ctx: AppContext,
  answering: ConsentAnswer,
  verdict: 'approve' | 'deny',
): Promise<{ name: string; href: string }> {
  const { interactions, interaction } = await readConsentRequest(ctx, answering);
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

/** Revokes the oldest apps of an operator who has connected too many. */
function endOldest({ store }: AppContext, operator_id: number): void {
  const { most } = ACCOUNT_LIMITS.applications;
  const tooMany = store.applications.ofOperator(operator_id).slice(most);
  store.transaction(() => tooMany.forEach(({ grant_hash }) => store.oidc.revokeGrant(grant_hash)));
}

/** Rejects the answer of a consent page that stayed open after its operator signed out. */
async function signedIn(
  ctx: AppContext,
  { cookieHeader }: ConsentAnswer,
  { account }: Interaction,
): Promise<number> {
  const operator = await operatorHere(ctx, cookieHeader);
  if (operator && operator.public_id === account) return operator.id;
  throw new DomainError(
    'interaction_expired',
    'You are no longer signed in to the account that this request is for',
  );
}
