import { expect, test } from 'vitest';
import { createMailer, mailCounts } from '#server/mail/mailer.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';

const MAIL = { to: 'ada@example.org', subject: 'Sign in', text: 'Look:\n\nhttp://b/x?token=y\n' };

async function aMailer() {
  const { smtpUrl, mails } = await aMailServer();
  return { mailer: createMailer({ smtpUrl, from: 'Board <board@example.org>' }), mails };
}

test('createMailer() sends plain text to one mailbox', async () => {
  const { mailer, mails } = await aMailer();

  await mailer.send(MAIL);

  expect(mails).toMatchObject([{ to: ['ada@example.org'] }]);
  expect(mails[0]?.text).toMatch(/^From: Board <board@example\.org>\r$/m);
  expect(mails[0]?.text).toContain('http://b/x?token=y');
});

test.each([
  { to: 'ada@example.org, eve@example.org' },
  { to: 'ada@example.org\r\nBcc: eve@example.org' },
  { subject: 'Sign in\r\nBcc: eve@example.org' },
])('createMailer() sends no copy to others: %j', async (over) => {
  const { mailer, mails } = await aMailer();

  await mailer.send({ ...MAIL, ...over }).catch(() => undefined);

  expect(mails.flatMap(({ to }) => to)).not.toContain('eve@example.org');
});

test('mailCounts() counts emails by their result', async () => {
  const { mailer } = await aMailer();
  const before = mailCounts();

  const sending = Promise.allSettled([
    mailer.send(MAIL),
    mailer.send({ ...MAIL, to: 'nobody@example.org' }),
  ]);
  expect(mailCounts().waiting).toBe(before.waiting + 2);
  await sending;

  const { sent, failed, waiting } = mailCounts();
  expect([sent - before.sent, failed - before.failed, waiting]).toEqual([1, 1, before.waiting]);
});

test('createMailer() reports when a mailbox is rejected', async () => {
  const { mailer, mails } = await aMailer();

  const sent = mailer.send({ ...MAIL, to: 'nobody@example.org' });

  await expect(sent).rejects.toMatchObject({ code: 'EENVELOPE', responseCode: 550 });
  expect(mails).toEqual([]);
});
