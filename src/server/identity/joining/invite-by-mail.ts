/** Sends invitations by email. Addresses are not stored. */
import { DomainError } from '#core/domain/text/errors.ts';
import type { InvitationRequest } from '#core/schema/invitation.ts';
import type { Config } from '../../config/config.ts';
import type { Board } from '../../context.ts';
import { type Mailer, mailRefusal, readMailbox } from '../../mail/mailer.ts';
import type { Actor } from '../../process/admin-actions.ts';
import type { Logger } from '../../process/logger.ts';
import { createInvitation, revokeInvitation } from './invitations.ts';

export const MOST_ADDRESSES = 100;

interface MailInvitation extends Omit<InvitationRequest, 'uses'> {
  /** Addresses, separated by commas, spaces or lines. */
  addresses: string;
}

interface Sender {
  config: Config & { baseUrl: string };
  mailer: Mailer;
  logger: Pick<Logger, 'warn'>;
  by?: Actor;
}

interface Sent {
  sent: number;
  /** Addresses to which no email could be sent, as they were typed. Their invitations are revoked. */
  failed: string[];
}

/**
 * Sends an invitation for one person to each address. All addresses are checked before the first email is sent.
 *
 * @throws {DomainError} `validation_failed`.
 */
export async function inviteByMail(
  board: Board,
  { addresses, ...request }: MailInvitation,
  { config, mailer, logger, by }: Sender,
): Promise<Sent> {
  const { baseUrl, site, signIn } = config;
  const failed: string[] = [];
  const listed = addressesIn(addresses);
  for (const address of listed) {
    const inviting = { baseUrl, cohorts: signIn.cohorts, ...(by && { by }) };
    const { id, url, expires_at } = createInvitation(board, { ...request, uses: 1 }, inviting);
    const text = [
      `You are invited to ${site.name}: ${request.label}.`,
      site.description,
      `To see the invitation, open this link: ${url}`,
      `It works for one person until ${expires_at.slice(0, 10)}. If you do not want to join, ignore this email. The board has not stored your address.\n`,
    ].join('\n\n');
    try {
      await mailer.send({ to: address, subject: `Invitation to ${site.name}`, text });
    } catch (error) {
      logger.warn('mail_not_sent', mailRefusal(error));
      revokeInvitation(board, id, by);
      failed.push(address);
    }
  }
  return { sent: listed.length - failed.length, failed };
}

function addressesIn(text: string): string[] {
  const typed = text.split(/[\s,;]+/).filter(Boolean);
  const addresses = [...new Set(typed.map((each) => readMailbox(each).address))];
  if (addresses.length >= 1 && addresses.length <= MOST_ADDRESSES) return addresses;
  const detail = `Enter 1 to ${MOST_ADDRESSES} email addresses. You entered ${addresses.length}`;
  throw new DomainError('validation_failed', detail);
}
