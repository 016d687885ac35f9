import type { AppContext } from '../context.ts';
import type { DevMailbox } from './dev-mail.ts';
import { type Visit, isLocalVisit } from '../process/loopback-request.ts';
import type { Mailer } from './mailer.ts';

/** The mailbox, for who sits at the machine; null for everybody else and where mail is set up. */
export function devMailboxFor(ctx: AppContext, visit: Visit): DevMailbox | null {
  return ctx.devMail && isLocalVisit(ctx.config, visit) ? ctx.devMail : null;
}

/** What a visitor's sign-in mail is sent with; null where none can be sent, or nobody signs in here. */
export function mailerFor(ctx: AppContext, visit: Visit): Mailer | null {
  if (ctx.config.signIn.authority) return null;
  return ctx.mailer ?? devMailboxFor(ctx, visit);
}
