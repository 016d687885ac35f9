/** What becomes of the caller's data. */
import * as z from 'zod';
import { JsonBody, NoParams, NoQuery, defineRoute } from './route.ts';

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
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  body: DataOptOut,
  ...JsonBody,
  reply: DataOptOut,
  statuses: [200],
  errors: ['not_found'],
});
