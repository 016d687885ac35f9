import type { AppContext } from '../context.ts';
import type { KeptMail } from './dev-mail.ts';
import type { Visit } from '../process/loopback-request.ts';
import { devMailboxFor } from './visitor-mail.ts';

/** The last mails, newest first, for who sits at the board's own machine; null for everybody else. */
export function readDevMail(ctx: AppContext, visit: Visit): readonly KeptMail[] | null {
  return devMailboxFor(ctx, visit)?.mails() ?? null;
}
