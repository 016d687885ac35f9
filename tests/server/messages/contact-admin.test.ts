import { describe, expect, test, vi } from 'vitest';
import { parseAs } from '#core/domain/text/faults.ts';
import { ContactText } from '#core/schema/account.ts';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { anOperator, query, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { PATIENCE_MS } from '#tests/support/board/time.ts';

const TEXT = { subject: 'A lost device', message: 'May it be forgotten?\nAda' };

function aScene(contactEmail: string | null = 'admin@example.org') {
  const ctx = testContext();
  ctx.config.signIn = { ...ctx.config.signIn, contactEmail };
  const { id } = anOperator(ctx, 'ada');
  const send = vi.fn((_: Mail) => Promise.resolve());
  ctx.mailer = { send };
  return { ctx, id, send };
}

describe('contactAdmin()', () => {
  test('stores the message, emails it, and records the email', async () => {
    const { ctx, id, send } = aScene();

    const receipt = contactAdmin(ctx, id, TEXT);

    expect(ctx.store.contactMessages.ofOperator(id)).toMatchObject([{ ...receipt, ...TEXT }]);
    await vi.waitFor(() => {
      expect(ctx.store.contactMessages.ofOperator(id)[0]?.mailed_at).toBe(ctx.now().toISOString());
    }, PATIENCE_MS);
    const [mail] = send.mock.calls[0] ?? [];
    expect(mail).toMatchObject({
      to: 'admin@example.org',
      subject: '[Test board] A lost device',
    });
    expect(mail?.text).toContain('May it be forgotten?');
    expect(mail?.text).toMatch(/\bada\b/);
    expect(mail?.text).toContain(`/admin/messages/${receipt.id}\n`);
  });

  test('stores the message if email is not set up or the email is rejected', async () => {
    const { ctx, id, send } = aScene();
    const warn = vi.spyOn(ctx.logger, 'warn');
    send.mockRejectedValueOnce(Object.assign(new Error('550 admin@example.org?'), { code: 'E' }));
    contactAdmin(ctx, id, TEXT);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), PATIENCE_MS);
    expect(JSON.stringify([warn.mock.calls, ctx.errors])).not.toContain('admin@');
    ctx.mailer = null;
    contactAdmin(ctx, id, TEXT);

    const kept = ctx.store.contactMessages.ofOperator(id);
    expect(kept.map(({ mailed_at }) => mailed_at)).toEqual([null, null]);
  });

  test('sends no email if the admin has not set an address', () => {
    const { ctx, id, send } = aScene(null);
    contactAdmin(ctx, id, TEXT);

    expect(send).not.toHaveBeenCalled();
  });

  test.each([
    ['#/subject', { ...TEXT, subject: 'Hello\r\nBcc: all@example.org' }],
    ['#/subject', { ...TEXT, subject: 'x'.repeat(121) }],
    ['#/subject', { ...TEXT, subject: '  ' }],
    ['#/message', { ...TEXT, message: 'x'.repeat(5001) }],
    ['#/message', { ...TEXT, message: '\n' }],
    ['#/message', { subject: 'x' }],
  ])('rejects a message that is invalid at %s', (pointer, body) => {
    expect(() => parseAs(ContactText, body, 'The message')).toThrow(
      refusal('validation_failed', pointer),
    );
  });

  test('accepts five messages in ten minutes', () => {
    const { ctx, id } = aScene(null);
    const five = Array.from({ length: 5 }, () => contactAdmin(ctx, id, TEXT));

    expect(() => contactAdmin(ctx, id, TEXT)).toThrow(refusal('quota_exceeded'));
    expect(query(ctx, 'SELECT 1 FROM contact_messages')).toHaveLength(five.length);
    ctx.clock.nowMs += 10 * 60_000;
    expect(() => contactAdmin(ctx, id, TEXT)).not.toThrow();
  });
});
