/** Finds out which emails are due, and sends them one by one while the board runs. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { AppContext } from '../context.ts';
import type { Watch } from '../process/admin-actions.ts';
import { logFailure } from '../process/storage-fault.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import type { Publication } from '../publication/read/publication.ts';
import { dueEvents, memberOf } from './due-events.ts';
import { sendNext } from './send-next.ts';

/** At most this many emails are sent in a minute, evenly spread. */
export const MAILS_PER_MINUTE = 30;
const EVERY_MS = 60_000 / MAILS_PER_MINUTE;
/** How often events are looked for while no update appears. */
const PLAN_MS = 5 * 60_000;
/** How many members are read at once. */
const MEMBERS = 20;
/** How long finished emails stay in the queue. */
const KEPT_MS = 30 * DAY_MS;

export function startMemberMail(ctx: AppContext): Watch {
  const { mailer } = ctx;
  if (!mailer) return { stop: () => undefined };
  let planned = { id: -1, atMs: 0 };
  let isBusy = false;
  let isStopped = false;
  const tick = async () => {
    const publication = ctx.publications.current();
    if (!publication) return;
    const atMs = ctx.now().getTime();
    if (publication.id !== planned.id || Math.abs(atMs - planned.atMs) >= PLAN_MS) {
      planned = { id: publication.id, atMs };
      await queueDueMails(ctx, publication, () => isStopped);
    }
    if (!isStopped) await sendNext(ctx, mailer, publication);
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    tick()
      .catch((error: unknown) => {
        if (!isStopped) logFailure(ctx.logger, 'member_mail_failed', error);
      })
      .finally(() => (isBusy = false));
  }, EVERY_MS);
  timer.unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Queues an email for each event that was not queued before. */
export async function queueDueMails(
  ctx: AppContext,
  publication: Publication,
  isStopped = () => false,
): Promise<void> {
  const { store } = ctx;
  const nowMs = ctx.now().getTime();
  store.memberMail.forgetUnconfirmed(new Date(nowMs).toISOString());
  store.mailQueue.forgetBefore(new Date(nowMs - KEPT_MS).toISOString());
  let after = 0;
  while (!isStopped()) {
    const ids = store.memberMail.receivers(after, MEMBERS);
    for (const operator_id of ids) {
      const member = memberOf(ctx, operator_id);
      if (!member) continue;
      for (const event of dueEvents(ctx, publication, member)) {
        const { kind, about } = event;
        if (store.mailQueue.has(operator_id, kind, about)) continue;
        store.mailQueue.add({ operator_id, ...event });
      }
    }
    if (ids.length < MEMBERS) return;
    after = ids.at(-1) ?? after;
    await yieldToEventLoop();
  }
}
