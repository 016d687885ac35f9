/** The tools of a board that need an operator: its own peers, improvements and standing, and what it submits. */
import * as z from 'zod';
import { list } from '#core/schema/list.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import { Envelope, MAX_RECORDS } from '#core/schema/snapshot.ts';
import type { BoardTool } from './board-tool.ts';
import { MyOperator } from '../me.ts';
import { IdempotencyKey, SnapshotAnswer } from '../snapshots.ts';
import { PEER_TEXTS, READS, discoverPeers, selfImprove } from './tools.ts';

const OWN_READ = { auth: 'operator', annotations: { ...READS, openWorldHint: false } } as const;

export const discoverPeersTool = {
  ...discoverPeers,
  ...OWN_READ,
  untrusted: PEER_TEXTS,
} as const satisfies BoardTool;

const selfImproveTool = {
  ...selfImprove,
  ...OWN_READ,
  untrusted: ['tool', 'model'],
} as const satisfies BoardTool;

const Submitted = z
  .strictObject({
    envelope: Envelope.optional().describe(
      'What a device of the caller signed, as it is. No other device is taken here.',
    ),
    records: list(OperatorRecord, { min: 1, max: MAX_RECORDS })
      .optional()
      .describe('Records that nobody signed: they stand on boards of `trust=all` only.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('Makes all checks and answers what would be stored, but stores nothing.'),
    idempotency_key: IdempotencyKey.describe(
      'With `records`: the same key and records are answered as the first time, and stored once.',
    ),
  })
  .refine(({ envelope, records }) => (envelope === undefined) !== (records === undefined), {
    message: 'give either envelope or records',
  })
  .refine(({ envelope, idempotency_key: key }) => envelope === undefined || key === undefined, {
    path: ['idempotency_key'],
    message: 'is for records; an envelope has a submission_id of its own',
  });

export const submitSnapshotTool = {
  name: 'submit_snapshot',
  title: 'Submit token counts',
  description:
    'Sends token counts by day for the caller: either the envelope that a device signed, or plain records. What is sent becomes part of the public, append-only log, as far as the caller is public: show it to the user first. A later self-report replaces an earlier one of the same day, model and tool. Counts against the limits of POST /api/v1/snapshots, and is answered as by it.',
  auth: 'operator',
  input: Submitted,
  output: SnapshotAnswer,
  // What counted before may stop to count, and records without a key are logged each time.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  untrusted: ['tools'],
} as const satisfies BoardTool;

const myOperatorTool = {
  ...OWN_READ,
  name: 'my_operator',
  title: 'Read the own standing',
  description:
    "The caller's codename, class, rank by yield in each window or what is missing for it, and what checks and keepers found. As GET /api/v1/me.",
  input: z.strictObject({}),
  output: MyOperator,
  untrusted: ['codename', 'display_name', 'label', 'reason', 'tool', 'text'],
} as const satisfies BoardTool;

export const OWN_TOOLS = [
  discoverPeersTool,
  selfImproveTool,
  submitSnapshotTool,
  myOperatorTool,
] as const;
