import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import * as z from 'zod';
import { maskedAddress } from '#core/domain/account/sign-in-method.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { SignInConfig } from '../config/sign-in-config.ts';
import type { AppContext } from '../context.ts';
import { type PeerRequest, isLoopbackRequest } from '../process/loopback-request.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Kept when the mail server has taken it; rejected with its refusal. */
  send(mail: Mail): Promise<void>;
}

const TIMEOUT_MS = 10_000;

const underWay = new Set<Promise<unknown>>();

/** Kept when all mails under way were taken or refused, and who sent them knows. */
export async function mailsSettled(): Promise<void> {
  await Promise.allSettled(underWay);
  await yieldToEventLoop();
}

function optionsFor(url: string, timeoutMs: number) {
  const names = ['connectionTimeout', 'greetingTimeout', 'socketTimeout'];
  return { url, ...Object.fromEntries(names.map((name) => [name, timeoutMs])) };
}

export function createMailer({ smtpUrl, from }: NonNullable<SignInConfig['mail']>): Mailer {
  return {
    async send({ to, ...mail }) {
      // As one address, which the library then does not take apart.
      const addressed = { ...mail, from, to: { name: '', address: to } };
      const sending = sendBy(smtpUrl, addressed);
      underWay.add(sending);
      await sending.finally(() => underWay.delete(sending));
    },
  };
}

/** Most commands, and most servers as they start, have nothing to send: the library loads with the first mail. */
async function sendBy(smtpUrl: string, mail: SendMailOptions): Promise<void> {
  const { createTransport } = await import('nodemailer');
  await createTransport(optionsFor(smtpUrl, TIMEOUT_MS)).sendMail(mail);
}

/** What may be logged of a mail server's refusal: its codes, because its words may name a mailbox. */
export function mailRefusal(error: unknown): Record<string, string> {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    code: String(code ?? 'unknown'),
    ...(responseCode !== undefined && { response: String(responseCode) }),
  };
}

/** Connects to the mail server and signs in there, without sending anything. */
export async function tryMailServer(
  { smtpUrl }: NonNullable<SignInConfig['mail']>,
  timeoutMs: number,
): Promise<Record<string, string> | null> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...optionsFor(smtpUrl, timeoutMs), dnsTimeout: timeoutMs });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return mailRefusal(error);
  } finally {
    transport.close();
  }
}

const MAX_MAILS = 20;

interface KeptMail extends Mail {
  sent_at: string;
}

/** Takes mail where no mail is set up, for who sits at the machine to read. */
export interface DevMailbox extends Mailer {
  mails(): readonly KeptMail[];
}

export function createDevMailbox(write: (line: string) => void, now: () => Date): DevMailbox {
  let mails: readonly KeptMail[] = [];
  return {
    async send(mail) {
      mails = [{ ...mail, sent_at: now().toISOString() }, ...mails].slice(0, MAX_MAILS);
      const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '';
      write(`Mail is not set up; its link, for this machine only: ${link}\n`);
    },
    mails: () => mails,
  };
}

function devMailboxFor(ctx: AppContext, visit: PeerRequest): DevMailbox | null {
  return ctx.devMail && isLoopbackRequest(ctx.config, visit) ? ctx.devMail : null;
}

/** What a visitor's sign-in mail is sent with; null where none can be sent, or nobody signs in here. */
export function mailerFor(ctx: AppContext, visit: PeerRequest): Mailer | null {
  if (ctx.config.signIn.authority) return null;
  return ctx.mailer ?? devMailboxFor(ctx, visit);
}

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const Address = z.email();

/**
 * Reads an address as a person types it. All of it is taken in lower case, the part before the @ too, and mail
 * goes to what was read: so who spells a mailbox in capitals has the same account, and no server that tells the
 * two apart can give one's account to the other. Dots and what follows a + are kept.
 */
export function readMailbox(text: string): { address: string; label: string } {
  const typed = text.trim();
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at)).toLowerCase();
  const domain = domainToASCII(typed.slice(at + 1)).toLowerCase();
  const address = `${local}@${domain}`;
  const isShort = typed.length <= MAX_LENGTH && local.length <= MAX_LOCAL_LENGTH;
  if (!isShort || !Address.safeParse(address).success) {
    throw new DomainError('validation_failed', 'Type an e-mail address, such as ada@example.org');
  }
  return { address, label: maskedAddress(local, domain) };
}

/** The last mails, newest first, for who sits at the board's own machine; null for everybody else. */
export function readDevMail(ctx: AppContext, visit: PeerRequest): readonly KeptMail[] | null {
  return devMailboxFor(ctx, visit)?.mails() ?? null;
}
