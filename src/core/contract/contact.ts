/** A message to the keeper. */
import * as z from 'zod';
import { ContactText } from '../schema/contact.ts';
import { Timestamp } from '../schema/scalars.ts';
import { JsonBody, NoParams, NoQuery, defineRoute } from './route.ts';

export const ContactReceipt = z
  .strictObject({
    id: z.uuid().describe('The message, as the keeper sees it.'),
    created_at: Timestamp.describe('When it was stored.'),
  })
  .meta({ id: 'ContactReceipt' });
export type ContactReceipt = z.infer<typeof ContactReceipt>;

export const contactKeeper = defineRoute({
  id: 'contactKeeper',
  tag: 'account',
  method: 'POST',
  path: '/api/v1/contact',
  summary: 'Write to the keeper of the board',
  description:
    'The message is stored with the account that sent it, and mailed to the keeper where mail is set up. Nothing is answered here: say in it how you can be reached.',
  auth: 'account',
  limit: 'contact',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  body: ContactText,
  ...JsonBody,
  reply: ContactReceipt,
  statuses: [201],
  errors: ['not_found'],
});
