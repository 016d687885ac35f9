import type { MailKind } from '#core/schema/member-mail.ts';
import type { AppContext } from '../context.ts';
import { type Mailer, mailFailure, mailRefusal } from '../mail/mailer.ts';
import { operatorOf } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { composeMail } from './compose-mail.ts';
import { FRESH_MS, memberOf } from './due-events.ts';
import { addressOf } from './mail-choices.ts';
import { type MailContent, type MailPart, htmlText, plainText } from './mail-text.ts';
import { unsubscribeToken } from './unsubscribe.ts';

/** The waiting times after failed attempts, in minutes. */
const BACKOFF_MINUTES = [1, 5, 30, 120, 360];

export const KIND_NAMES: Readonly<Record<MailKind, string>> = {
  weekly: 'weekly summaries',
  overtaken: 'emails about operators who overtake you',
  record: 'emails about new records',
  challenge: 'emails about challenges',
  silent: 'emails about silent devices',
};

type Queued = NonNullable<ReturnType<AppContext['store']['mailQueue']['take']>>;

/**
 * Sends the next email that is due. Each email is marked before the attempt, so it is sent at most once: if the
 * process or the connection ends before the mail server's answer is stored, the email is not repeated.
 */
export async function sendNext(
  ctx: AppContext,
  mailer: Mailer,
  publication: Publication,
): Promise<void> {
  const now = ctx.now();
  const queued = ctx.store.mailQueue.take(now.toISOString());
  if (!queued) return;
  const prepared = await prepare(ctx, queued, publication);
  if (!prepared) return end(ctx, queued, 'dropped');
  try {
    await mailer.send(prepared);
  } catch (error) {
    return answerFailure(ctx, queued, error);
  }
  end(ctx, queued, 'sent');
}

function end(ctx: AppContext, { id }: Queued, outcome: 'dropped' | 'rejected' | 'sent'): void {
  ctx.store.mailQueue.end({ id, outcome, ended_at: ctx.now().toISOString() });
}

/** Returns null if it must not or need not be sent any more. */
async function prepare(ctx: AppContext, queued: Queued, publication: Publication) {
  const { id, operator_id, kind, occurred_at } = queued;
  const isOld = Date.parse(occurred_at) < ctx.now().getTime() - FRESH_MS;
  const content = isOld ? null : await composed(ctx, queued, publication);
  // Read again, because the member may have turned the kind off meanwhile.
  const row = ctx.store.memberMail.ofOperator(operator_id);
  if (!content || !row?.kinds.includes(kind)) return null;
  const to = addressOf(ctx, row);
  if (to === null) return null;
  const { public_id } = operatorOf(ctx, operator_id);
  const { baseUrl } = ctx.config;
  const token = unsubscribeToken(ctx, public_id, kind);
  const off = `${baseUrl}/email/unsubscribe?${new URLSearchParams({ token })}`;
  const parts = [...content.parts, ...footOf(ctx, kind, off)];
  const whole = { ...content, parts };
  return {
    to,
    subject: content.subject,
    text: plainText(whole),
    html: htmlText(whole),
    messageId: `<${id}.${Date.parse(occurred_at)}.${kind}@${new URL(baseUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${off}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

function composed(
  ctx: AppContext,
  { operator_id, kind, about }: Queued,
  publication: Publication,
): MailContent | Promise<MailContent | null> | null {
  const member = memberOf(ctx, operator_id);
  return member && composeMail(kind, { ctx, publication, member, about });
}

function footOf({ config }: AppContext, kind: MailKind, off: string): MailPart[] {
  return [
    `You receive this because you turned on ${KIND_NAMES[kind]} on ${config.site.name}.`,
    { text: `Stop ${KIND_NAMES[kind]}`, href: off },
    { text: 'Change what you receive', href: `${config.baseUrl}/settings/email` },
  ];
}

function answerFailure(ctx: AppContext, queued: Queued, error: unknown): void {
  const { store, logger } = ctx;
  const { operator_id } = queued;
  logger.warn('member_mail_not_sent', mailRefusal(error));
  const now = ctx.now();
  const failure = mailFailure(error);
  if (failure === 'rejected') {
    store.memberMail.addProblem({
      operator_id,
      problem: 'rejected',
      problem_at: now.toISOString(),
    });
    store.mailQueue.removeUnsent(operator_id, []);
    return end(ctx, queued, 'rejected');
  }
  const minutes = BACKOFF_MINUTES[Math.min(queued.tries, BACKOFF_MINUTES.length) - 1] ?? 0;
  const due_at = new Date(now.getTime() + minutes * 60_000).toISOString();
  if (failure === 'later') store.mailQueue.retry({ id: queued.id, due_at });
}
