import type { Mail, Mailer } from './mailer.ts';

/** Mails that are kept; the oldest are forgotten. */
const MAX_MAILS = 20;

export interface KeptMail extends Mail {
  sent_at: string;
}

/** Takes mail where no mail is set up, for who sits at the machine to read. */
export interface DevMailbox extends Mailer {
  /** The last mails, newest first. */
  mails(): readonly KeptMail[];
}

/** Keeps mails in memory, and writes the link of each on the console. */
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
