/** What becomes of the caller's data. */
import * as z from 'zod';
import { JsonBody, defineRoute } from './route.ts';
import { ContactText } from '../schema/account.ts';
import { Timestamp } from '../schema/scalars.ts';

export const DataOptOut = z
  .strictObject({
    opt_out: z
      .boolean()
      .describe('Whether the records stay out of corpus, medians and boards of cohorts.'),
  })
  .meta({ id: 'DataOptOut' });
export type DataOptOut = z.infer<typeof DataOptOut>;

export const setDataOptOut = defineRoute({
  id: 'setDataOptOut',
  tag: 'account',
  method: 'POST',
  path: '/api/v1/account/data-opt-out',
  summary:
    'Keep the own records out of corpus, medians and boards of cohorts, or let them in again',
  description:
    'The corpus is the records that readers with a key of the keeper are given in bulk. The operator keeps rank and place on all other boards. It takes effect before the answer comes; what others fetched before stays with them.',
  auth: 'account',
  limit: 'writes',
  body: DataOptOut,
  ...JsonBody,
  reply: DataOptOut,
  errors: ['not_found'],
});

const AccountDeletion = z
  .strictObject({
    confirm: z.string().max(80).describe("The account's codename, to be typed by a person."),
  })
  .meta({ id: 'AccountDeletion' });

export const AccountDeleted = z
  .strictObject({
    log_index: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The log entry that tells which entries were erased, and nothing else; null if the log never knew the account.',
      ),
  })
  .meta({ id: 'AccountDeleted' });
export type AccountDeleted = z.infer<typeof AccountDeleted>;

export const deleteAccount = defineRoute({
  id: 'deleteAccount',
  tag: 'account',
  method: 'POST',
  path: '/api/v1/account/delete',
  summary: 'Delete the own account and all that names it',
  description:
    'It cannot be undone. When the answer comes, no page, list or earlier board shows the operator, and no table of the database holds anything of the account but the hashes of its log entries. What is left in free parts of the database file is overwritten then too, or with a later publication while another process uses the file. Nobody can take the codename for 90 days.',
  auth: 'session',
  limit: 'writes',
  body: AccountDeletion,
  ...JsonBody,
  reply: AccountDeleted,
  errors: ['confirmation_mismatch', 'not_found'],
});

export const ContactReceipt = z
  .strictObject({
    id: z.uuid().describe('The message, as the keeper sees it.'),
    created_at: Timestamp.describe('When it was stored.'),
  })
  .meta({ id: 'ContactReceipt' });
export type ContactReceipt = z.infer<typeof ContactReceipt>;

export const contactAdmin = defineRoute({
  id: 'contactKeeper',
  tag: 'account',
  method: 'POST',
  path: '/api/v1/contact',
  summary: 'Write to the keeper of the board',
  description:
    'The message is stored with the account that sent it, and mailed to the keeper where mail is set up. Nothing is answered here: say in it how you can be reached.',
  auth: 'account',
  limit: 'contact',
  body: ContactText,
  ...JsonBody,
  reply: ContactReceipt,
  statuses: [201],
  errors: ['not_found'],
});
