/** A member who turned on email. */
import { expect, vi } from 'vitest';
import type { MailKind } from '#core/schema/member-mail.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { confirmAddress, setMailChoices } from '#server/member-mail/mail-choices.ts';
import { queueDueMails } from '#server/member-mail/member-mail.ts';
import { sendNext } from '#server/member-mail/send-next.ts';
import { bucketsOfDays } from './builders.ts';
import { anEnrolledDevice, publish, submit, testContext } from './context.ts';

export const ADDRESS = 'ada@example.org';
/** A Sunday evening. */
const SUNDAY_MS = Date.parse('2026-03-15T20:00:00.000Z');

/** The member `ada` with ten days up to Saturday. `run` sends what is due, and returns all emails so far. */
export async function aMailScene(kinds: MailKind[] = ['weekly'], isConfirmed = true) {
  const ctx = testContext();
  ctx.clock.nowMs = SUNDAY_MS;
  const send = vi.fn((_: Mail) => Promise.resolve());
  const mailer = { send };
  ctx.mailer = mailer;
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, bucketsOfDays(10, '2026-03-05'));
  const { id } = ctx.store.operators.byCodename('ada') ?? { id: 0 };
  const set = (over: object = {}) => {
    return setMailChoices(ctx, id, {
      address: ADDRESS,
      kinds,
      silent_days: '7',
      client: 'here',
      ...over,
    });
  };
  await set();
  const token = /token=([\w-]+)/.exec(send.mock.calls[0]?.[0].text ?? '')?.[1] ?? '';
  if (isConfirmed) expect(confirmAddress(ctx, token)).toBe(true);
  send.mockClear();
  const run = async (publication = publish(ctx, ctx.clock.nowMs)) => {
    await queueDueMails(ctx, publication);
    for (let each = 0; each < 5; each += 1) await sendNext(ctx, mailer, publication);
    return send.mock.calls.map(([mail]) => mail);
  };
  const goTo = (instant: string) => (ctx.clock.nowMs = Date.parse(instant));
  return { ctx, id, device, send, set, token, run, goTo };
}
