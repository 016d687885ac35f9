import { createTransport } from 'nodemailer';
import type { SignInConfig } from '../config/sign-in-config.ts';
import { anotherTurn } from '../process/yield-to-event-loop.ts';

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

/** The mails under way. */
const underWay = new Set<Promise<unknown>>();

/** Kept when all mails under way were taken or refused, and who sent them knows. */
export async function mailsSettled(): Promise<void> {
  await Promise.allSettled(underWay);
  await anotherTurn();
}

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
      const sending = transport.sendMail({ ...mail, to: { name: '', address: to } });
      underWay.add(sending);
      await sending.finally(() => underWay.delete(sending));
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

/**
 * Connects to the mail server and signs in there, without sending anything.
 *
 * @returns Null if it would take mail, else the codes of its refusal.
 */
export async function tryMailServer(
  { smtpUrl }: NonNullable<SignInConfig['mail']>,
  timeoutMs: number,
): Promise<Record<string, string> | null> {
  const timeouts = {
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  const transport = createTransport({ url: smtpUrl, ...timeouts });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return mailRefusal(error);
  } finally {
    transport.close();
  }
}
