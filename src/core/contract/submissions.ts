/** Submissions: what was accepted, and how it is withdrawn and restored. */
import * as z from 'zod';
import { TrustFilter } from '../schema/board.ts';
import { Codename, UuidV7 } from '../schema/scalars.ts';
import { LoggedEnvelope } from '../schema/self-report.ts';
import { ENVELOPE_MEDIA_TYPE } from '../schema/snapshot.ts';
import { Submission, SubmissionDetail } from '../schema/submission.ts';
import { ListQuery, pageOf } from './list.ts';
import { PublicRead, defineRoute } from './route.ts';

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
  reply: SubmissionDetail,
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
  reply: LoggedEnvelope,
  replyType: ENVELOPE_MEDIA_TYPE,
});

const OWNERS =
  'A device may change only submissions that it sent itself. A connected app may change all submissions of its operator; its token needs no scope besides `openid`.';

/** What withdrawing and restoring have in common. */
const OwnChange = {
  tag: 'log',
  method: 'POST',
  auth: 'operator',
  limit: 'writes',
  params: IdInPath,
  reply: SubmissionDetail,
} as const;

export const withdrawSubmission = defineRoute({
  id: 'withdrawSubmission',
  path: '/api/v1/submissions/{id}/withdraw',
  summary: 'Withdraw a submission',
  description: `What its records had replaced counts again, from the next publication on. The entry stays in the log. \`restoreSubmission\` undoes it. Withdrawing twice is the same as once.
${OWNERS}`,
  ...OwnChange,
  errors: ['count_out_of_range', 'too_many_sources'],
});

export const restoreSubmission = defineRoute({
  id: 'restoreSubmission',
  path: '/api/v1/submissions/{id}/restore',
  summary: 'Undo the withdrawal of a submission',
  description: `The submission is again what it was before, from the next publication on: what counted counts again, and what was on hold is on hold. Decisions of the board's admin while it was withdrawn apply. A submission of a device that was marked as compromised cannot be restored. Restoring one that is not withdrawn changes nothing.
${OWNERS}`,
  ...OwnChange,
  errors: ['count_out_of_range', 'state_conflict', 'too_many_sources'],
});
