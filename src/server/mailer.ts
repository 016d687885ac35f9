import { createTransport } from 'nodemailer';
import type { SignInConfig } from './sign-in-config.ts';

/** A mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail for the board. */
export interface Mailer {
  /** Kept when the mail server has taken it; rejected with its refusal. */
  send(mail: Mail): Promise<void>;
}

/** How long each step of the talk with the mail server may take. */
const TIMEOUT_MS = 10_000;

export function createMailer({ smtpUrl, from }: NonNullable<SignInConfig['mail']>): Mailer {
  const timeouts = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  };
  const transport = createTransport({ url: smtpUrl, ...timeouts }, { from });
  return {
    async send({ to, ...mail }) {
      // As one address, which the library then does not take apart.
      await transport.sendMail({ ...mail, to: { name: '', address: to } });
    },
  };
}

/** What may be logged of a mail server's refusal: its codes, because its words may name a mailbox. */
export function mailRefusal(error: unknown): Record<string, string> {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    code: String(code ?? 'unknown'),
    ...(responseCode !== undefined && { response: String(responseCode) }),
  };
}
