/** A real mail server on loopback that stores what it receives. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface Delivered {
  to: string[];
  /** Head and body, decoded. */
  text: string;
}

export interface PostOffice {
  smtpUrl: string;
  mails: Delivered[];
  /** Refuses connections from now on. */
  close(): Promise<void>;
}

/** Rejects every mailbox that begins with `nobody`. */
export async function aMailServer(): Promise<PostOffice> {
  const mails: Delivered[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, callback) {
      const isKnown = !address.startsWith('nobody');
      callback(isKnown ? null : Object.assign(new Error('No such user'), { responseCode: 550 }));
    },
    onData(stream, { envelope }, callback) {
      void text(stream).then((raw) => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: readable(raw) });
        callback();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const close = () => new Promise<void>((resolve) => void server.close(resolve));
  onTestFinished(close);
  const { port } = server.server.address() as AddressInfo;
  return { smtpUrl: `smtp://127.0.0.1:${port}`, mails, close };
}

/** Decodes quoted-printable, as far as plain ASCII needs it. */
function readable(raw: string): string {
  return raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}
