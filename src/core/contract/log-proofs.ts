import * as z from 'zod';
import { defineRoute } from './route.ts';

const Count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

export const LogProofQuery = z.strictObject({
  log_index: Count.pipe(z.int().min(1)).describe('The index of the entry, as in its receipt.'),
  cosigned: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Whether the proof is for the newest checkpoint that the quorum of witnesses cosigned, in place of the newest one.',
    ),
});
export type LogProofQuery = z.infer<typeof LogProofQuery>;

export const ConsistencyQuery = z.strictObject({
  from: Count.pipe(z.int().min(0)).describe('The size of the earlier tree.'),
});
export type ConsistencyQuery = z.infer<typeof ConsistencyQuery>;

const replyType = 'text/plain';

export const getLogProof = defineRoute('getLogProof', {
  auth: 'public',
  query: LogProofQuery,
  reply: z
    .string()
    .describe('A proof in the form of C2SP tlog-proof. `extra` is the text of the entry.'),
  replyType,
});

export const getLogConsistency = defineRoute('getLogConsistency', {
  auth: 'public',
  query: ConsistencyQuery,
  reply: z
    .string()
    .describe('The line `old SIZE`, the hashes of the proof, an empty line and the checkpoint.'),
  replyType,
});
