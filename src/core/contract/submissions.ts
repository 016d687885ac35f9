/** Submissions: list, read, withdraw and restore. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { TrustFilter } from '../schema/board.ts';
import { Codename, UuidV7 } from '../schema/scalars.ts';
import { LoggedEnvelope } from '../schema/self-report.ts';
import { ENVELOPE_MEDIA_TYPE } from '../schema/snapshot.ts';
import { Submission, SubmissionDetail } from '../schema/submission.ts';
import { ListQuery, pageOf } from './list.ts';
import { defineRoute } from './route.ts';

export const SubmissionsQuery = z.strictObject({
  codename: Codename.optional().describe('Only submissions of this operator.'),
  trust: TrustFilter.default('all').describe('All submissions, or only signed ones.'),
  ...ListQuery,
});
export type SubmissionsQuery = z.infer<typeof SubmissionsQuery>;

export const Submissions = object('Submissions', pageOf(Submission, 'Submissions'));
export type Submissions = z.infer<typeof Submissions>;

export const listSubmissions = defineRoute('listSubmissions', {
  auth: 'public',
  query: SubmissionsQuery,
  reply: Submissions,
  table: { row: Submission, rows: ({ entries }) => entries },
});

const IdInPath = z.strictObject({ id: UuidV7 });

export const getSubmission = defineRoute('getSubmission', {
  auth: 'public',
  params: IdInPath,
  reply: SubmissionDetail,
});

export const getSubmissionEnvelope = defineRoute('getSubmissionEnvelope', {
  auth: 'public',
  params: IdInPath,
  reply: LoggedEnvelope,
  replyType: ENVELOPE_MEDIA_TYPE,
});

/** Common to withdrawing and restoring. */
const OwnChange = { auth: 'operator', params: IdInPath, reply: SubmissionDetail } as const;

export const withdrawSubmission = defineRoute('withdrawSubmission', { ...OwnChange });

export const restoreSubmission = defineRoute('restoreSubmission', { ...OwnChange });
