/** Submissions: what was accepted, and how it is taken back. */
import * as z from 'zod';
import { TrustFilter } from '../schema/board.ts';
import { Codename, UuidV7 } from '../schema/scalars.ts';
import { LoggedEnvelope } from '../schema/self-report.ts';
import { ENVELOPE_MEDIA_TYPE } from '../schema/snapshot.ts';
import { Submission, SubmissionDetail } from '../schema/submission.ts';
import { ListQuery, pageOf } from './list.ts';
import { NoBody, NoParams, NoQuery, PublicRead, defineRoute } from './route.ts';

export const SubmissionsQuery = z.strictObject({
  codename: Codename.optional().describe('Only those of this operator.'),
  trust: TrustFilter.default('all').describe('All submissions, or only signed ones.'),
  ...ListQuery,
});
export type SubmissionsQuery = z.infer<typeof SubmissionsQuery>;

export const Submissions = z
  .strictObject(pageOf(Submission, 'Submissions'))
  .meta({ id: 'Submissions' });
export type Submissions = z.infer<typeof Submissions>;

export const listSubmissions = defineRoute({
  ...PublicRead,
  id: 'listSubmissions',
  tag: 'log',
  path: '/api/v1/submissions',
  summary: 'Accepted submissions, newest first',
  description: 'Live: also those that no board shows yet.',
  params: NoParams,
  query: SubmissionsQuery,
  reply: Submissions,
  table: { row: Submission, rows: ({ entries }) => entries },
  errors: ['not_found'],
});

const IdInPath = z.strictObject({ id: UuidV7 });

export const getSubmission = defineRoute({
  ...PublicRead,
  id: 'getSubmission',
  tag: 'log',
  path: '/api/v1/submissions/{id}',
  summary: 'One submission, and what became of its records',
  params: IdInPath,
  query: NoQuery,
  reply: SubmissionDetail,
  errors: [],
});

export const getSubmissionEnvelope = defineRoute({
  ...PublicRead,
  id: 'getSubmissionEnvelope',
  tag: 'log',
  path: '/api/v1/submissions/{id}/envelope',
  summary: 'The envelope of a submission',
  description:
    "The exact bytes that the log's hash covers: with the operator's keys, enough to check who signed what. What was sent by hand has no signature.",
  params: IdInPath,
  query: NoQuery,
  reply: LoggedEnvelope,
  replyType: ENVELOPE_MEDIA_TYPE,
  errors: [],
});

export const withdrawSubmission = defineRoute({
  id: 'withdrawSubmission',
  tag: 'log',
  method: 'POST',
  path: '/api/v1/submissions/{id}/withdraw',
  summary: 'Take a submission back',
  description:
    'What its records had replaced counts again, from the next publication on. The entry stays in the log. Withdrawing twice is the same as once.',
  auth: 'session',
  limit: 'writes',
  cacheSeconds: 0,
  params: IdInPath,
  query: NoQuery,
  ...NoBody,
  reply: SubmissionDetail,
  statuses: [200],
  errors: ['count_out_of_range', 'too_many_sources'],
});
