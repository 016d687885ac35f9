import type { ContactReceipt } from '#core/contract/account.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import type { ContactText } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { mailRefusal } from '../mail/mailer.ts';
import { announce } from '../webhooks/announce.ts';
import { operatorOf } from '../operator/operator.ts';

/**
 * Stores a message to the admin, and emails it in the background if email is set up. The message stays stored if the
 * email fails.
 */
export function contactAdmin(
  ctx: AppContext,
  operator_id: number,
  { subject, message }: ContactText,
): ContactReceipt {
  ctx.limiter.take('contact', String(operator_id));
  const { codename } = operatorOf(ctx, operator_id);
  const id = crypto.randomUUID();
  const now = ctx.now();
  const created_at = now.toISOString();
  const { most } = ACCOUNT_LIMITS.contact_messages;
  ctx.store.transaction(() => {
    ctx.store.contactMessages.add({ id, operator_id, subject, message, created_at }, most);
    announce(ctx.store, { type: 'message.received', data: { message: id }, now });
  });
  void mailToAdmin(ctx, { id, codename, subject, message });
  return { id, created_at };
}

async function mailToAdmin(
  { mailer, config, store, logger, now }: AppContext,
  { id, codename, subject, message }: ContactText & { id: string; codename: string },
): Promise<void> {
  const { contactEmail } = config.signIn;
  if (!mailer || contactEmail === null) return;
  const text = `${message}\n\n-- \nSent by ${codename}. To answer, open ${config.baseUrl}/admin/messages/${id}\n`;
  try {
    await mailer.send({ to: contactEmail, subject: `[${config.site.name}] ${subject}`, text });
    store.contactMessages.setMailed(id, now().toISOString());
  } catch (error) {
    logger.warn('contact_mail_failed', { message: id, ...mailRefusal(error) });
  }
}
