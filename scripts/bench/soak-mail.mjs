// A mail server on loopback that stores the last mail to each address until it is fetched.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** The longest time to wait for a mail, in milliseconds. */
const MOST_MS = 10_000;

export async function startMailServer() {
  const mails = new Map();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, callback) {
      const raw = await text(stream);
      // Decodes quoted-printable as far as ASCII needs it.
      const mail = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
      for (const { address } of envelope.rcptTo) mails.set(address, mail);
      callback();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address();
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'board@example.org' },
    fetch: (address) => fetchMail(mails, address),
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

async function fetchMail(mails, address) {
  const endMs = performance.now() + MOST_MS;
  while (!mails.has(address)) {
    if (performance.now() > endMs) throw new Error('No sign-in mail arrived');
    await pause(20);
  }
  const mail = mails.get(address);
  mails.delete(address);
  return mail;
}
