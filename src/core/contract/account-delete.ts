/** The end of an account. */
import * as z from 'zod';
import { JsonBody, NoParams, NoQuery, defineRoute } from './route.ts';

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
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  body: AccountDeletion,
  ...JsonBody,
  reply: AccountDeleted,
  statuses: [200],
  errors: ['confirmation_mismatch', 'not_found'],
});
