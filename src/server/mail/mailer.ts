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
  html?: string;
  /** The same for every attempt, so that mail servers recognize a repeated one. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Resolves when the mail server has accepted the email. Rejects with the server's error. */
  send(mail: Mail): Promise<void>;
}

const TIMEOUT_MS = 10_000;

const underWay = new Set<Promise<unknown>>();
const ended = { sent: 0, failed: 0 };

/** How many emails this process has sent, and how many are being sent. */
export function mailCounts() {
  return { ...ended, waiting: underWay.size };
}

/** Resolves when all emails in progress are sent or have failed, and their senders have been notified. */
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
    async send({ to, headers = {}, ...mail }) {
      // As an object, so that the library does not split the address.
      const addressed = { ...mail, headers: { ...headers }, from, to: { name: '', address: to } };
      const sending = sendBy(smtpUrl, addressed);
      underWay.add(sending);
      try {
        await sending;
        ended.sent += 1;
      } catch (error) {
        ended.failed += 1;
        throw error;
      } finally {
        underWay.delete(sending);
      }
    },
  };
}

/** Loads the library with the first email, because most commands send none. */
async function sendBy(smtpUrl: string, mail: SendMailOptions): Promise<void> {
  const { createTransport } = await import('nodemailer');
  await createTransport(optionsFor(smtpUrl, TIMEOUT_MS)).sendMail(mail);
}

/** The codes of a mail server's error, for the log. Its text may name a mailbox. */
export function mailRefusal(error: unknown): Record<string, string> {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    code: String(code ?? 'unknown'),
    ...(responseCode !== undefined && { response: String(responseCode) }),
  };
}

/** The commands that concern one email, and not the sender or the connection. */
const OF_MAIL = new Set(['RCPT TO', 'DATA']);
const BEFORE_MAIL = new Set(['EAUTH', 'EDNS', 'ETLS', 'EPROTOCOL']);
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

interface MailError {
  code?: string;
  command?: string;
  originalCode?: string;
  responseCode?: number;
  timeoutType?: string;
}

/**
 * What a failed attempt means: `later` if the email was certainly not accepted and can be repeated, `rejected` if the
 * mail server refuses the mailbox or the email for good, `unknown` if it may have been accepted. Rejections of the
 * sender and of the sign-in are the admin's to solve, so they count as `later`.
 */
export function mailFailure(error: unknown): 'later' | 'rejected' | 'unknown' {
  const { command = '', responseCode } = error as MailError;
  if (responseCode) return responseCode >= 500 && OF_MAIL.has(command) ? 'rejected' : 'later';
  return isBeforeMail(error as MailError) ? 'later' : 'unknown';
}

/** Whether the connection failed before the email could be sent over it. */
function isBeforeMail({ code = '', originalCode = '', timeoutType }: MailError): boolean {
  if (BEFORE_MAIL.has(code) || NOT_CONNECTED.has(originalCode)) return true;
  return timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT';
}

/** Connects and signs in to the mail server without sending anything. Returns the error, or null. */
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

/** Keeps emails while email is not set up, for reading on the board's own machine. */
export interface DevMailbox extends Mailer {
  mails(): readonly KeptMail[];
}

export function createDevMailbox(write: (line: string) => void, now: () => Date): DevMailbox {
  let mails: readonly KeptMail[] = [];
  return {
    async send(mail) {
      mails = [{ ...mail, sent_at: now().toISOString() }, ...mails].slice(0, MAX_MAILS);
      const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '';
      write(`Email is not set up. Open this link on this machine: ${link}\n`);
    },
    mails: () => mails,
  };
}

function devMailboxFor(ctx: AppContext, visit: PeerRequest): DevMailbox | null {
  return ctx.devMail && isLoopbackRequest(ctx.config, visit) ? ctx.devMail : null;
}

/** The mailer for a visitor's sign-in email; null if email is not available or the board uses an external provider. */
export function mailerFor(ctx: AppContext, visit: PeerRequest): Mailer | null {
  if (ctx.config.signIn.authority) return null;
  return ctx.mailer ?? devMailboxFor(ctx, visit);
}

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const Address = z.email();

/**
 * Reads an email address as typed. Converts all of it to lower case, including the part before the @, and emails go
 * to the converted address. Different capitalization therefore leads to the same account, even on mail servers that
 * treat the part before the @ as case-sensitive. Dots and suffixes after a + are kept.
 */
export function readMailbox(text: string): { address: string; label: string } {
  const typed = text.trim();
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at)).toLowerCase();
  const domain = domainToASCII(typed.slice(at + 1)).toLowerCase();
  const address = `${local}@${domain}`;
  const isShort = typed.length <= MAX_LENGTH && local.length <= MAX_LOCAL_LENGTH;
  if (!isShort || !Address.safeParse(address).success) {
    throw new DomainError(
      'validation_failed',
      'Enter an email address in the correct format, like ada@example.org',
    );
  }
  return { address, label: maskedAddress(local, domain) };
}

/** The latest emails, newest first, for visitors on the board's own machine; null for all others. */
export function readDevMail(ctx: AppContext, visit: PeerRequest): readonly KeptMail[] | null {
  return devMailboxFor(ctx, visit)?.mails() ?? null;
}
