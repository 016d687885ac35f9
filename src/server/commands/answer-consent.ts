import type { AppContext } from '../context.ts';
import { type Answering, readInteraction } from '../interaction.ts';

/**
 * Answers whether an application may act for who is asked: where to send the browser, and to whom that is.
 *
 * @throws {DomainError} `interaction_expired` if it is over, or another browser's.
 */
export async function answerConsent(
  ctx: AppContext,
  answering: Answering,
  verdict: 'approve' | 'deny',
): Promise<{ name: string; href: string }> {
  const { interactions, interaction } = await readInteraction(ctx, answering);
  const { name, redirectHost } = interaction.client;
  return { name: name ?? redirectHost, href: await interactions[verdict](answering.uid) };
}
