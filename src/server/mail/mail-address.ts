import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { DomainError } from '#core/domain/text/errors.ts';
import { maskedAddress } from '#core/domain/account/masked-address.ts';

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const Address = z.email();

/** A mailbox: where its mail goes, and what its owner recognises it by. */
export interface Mailbox {
  address: string;
  label: string;
}

/**
 * Reads an address as a person types it. All of it is taken in lower case, the part before the @ too, and
 * mail goes to what was read: so who spells a mailbox in capitals has the same account, and no server
 * that tells the two apart can give one's account to the other. Dots and what follows a + are kept.
 *
 * @throws {DomainError} `validation_failed` if it is none.
 */
export function readMailbox(text: string): Mailbox {
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
