/** Data opt-out, account deletion and messages to the admin. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { CHANGED, otherMachinesMember } from './other-machines.ts';
import { defineRoute } from './route.ts';
import { ContactText } from '../schema/account.ts';
import { Timestamp } from '../schema/scalars.ts';

export const DataOptOut = object('DataOptOut', {
  opt_out: z
    .boolean()
    .describe('Whether the records are left out of the corpus, medians and cohort boards.'),
});
export type DataOptOut = z.infer<typeof DataOptOut>;

export const DataOptOutAnswer = object('DataOptOutAnswer', {
  ...DataOptOut.shape,
  ...otherMachinesMember(CHANGED),
});
export type DataOptOutAnswer = z.infer<typeof DataOptOutAnswer>;

export const setDataOptOut = defineRoute('setDataOptOut', {
  auth: 'account',
  body: DataOptOut,
  reply: DataOptOutAnswer,
});

const AccountDeletion = object('AccountDeletion', {
  confirm: z.string().max(80).describe('The codename of the account. Let a person type it.'),
});

export const AccountDeleted = object('AccountDeleted', {
  log_index: z
    .int()
    .min(1)
    .nullable()
    .describe(
      'The log entry that lists the erased entries and nothing else; null if the account had no log entries.',
    ),
  ...otherMachinesMember('the account; absent if it has none'),
});
export type AccountDeleted = z.infer<typeof AccountDeleted>;

export const deleteAccount = defineRoute('deleteAccount', {
  auth: 'session',
  body: AccountDeletion,
  reply: AccountDeleted,
});

export const ContactReceipt = object('ContactReceipt', {
  id: z.uuid().describe('The ID of the message.'),
  created_at: Timestamp.describe('When it was stored.'),
});
export type ContactReceipt = z.infer<typeof ContactReceipt>;

export const contactAdmin = defineRoute('contactKeeper', {
  auth: 'account',
  body: ContactText,
  reply: ContactReceipt,
});
