/** The shapes of `--json` and of MCP tools, for commands that work with boards. */
import * as z from 'zod';
import { Untrusted } from '#core/contract/mcp/tools.ts';
import { EXIT } from './failure.ts';

export {
  DiscoveredPeers,
  PEER_TEXTS,
  SelfImprovement,
  Untrusted,
} from '#core/contract/mcp/tools.ts';

export const Pending = z
  .strictObject({ snapshots: z.int().min(0), records: z.int().min(0) })
  .describe('Signed, but not answered by the board yet.');
export type Pending = z.infer<typeof Pending>;

export const LeftOutDay = z
  .strictObject({
    day: z.string(),
    tool: z.string(),
    model: z.string(),
    reason: z.enum(['before_2023', 'in_future']),
  })
  .meta({ id: 'LeftOutDay', description: 'A daily count of a day that no board accepts.' });
export type LeftOutDay = z.infer<typeof LeftOutDay>;

export const BoardFailure = z
  .strictObject({
    board: z.string().nullable().describe('Its address; null if unknown.'),
    exit: z
      .enum(EXIT)
      .exclude(['ok'])
      .describe('1 usage, 2 not enrolled, 3 rejected by the board, 4 network, 5 partly done.'),
    code: z.string().nullable().describe("The board's error code; null if there is none."),
    message: z.string(),
    hint: z.string().nullable().describe('What to do.'),
  })
  .meta({ id: 'BoardFailure', description: 'An error at one board.' });
export type BoardFailure = z.infer<typeof BoardFailure>;

const ShortReceipt = z.strictObject({
  log_index: z.int().min(1).describe('The number of its entry in the public log.'),
  entry_hash: z.string().describe('The hash of that entry.'),
  received_at: z.string().describe('When the board accepted it.'),
  ruleset: z.string().describe('The version of the ranking rules at that time.'),
});

const WindowStanding = z.strictObject({
  window: z.string(),
  yield: z.number().nullable().describe('Null if undefined.'),
  rank: z.number().nullable().describe('By yield; null while unranked.'),
  rank_range: z
    .array(z.number())
    .length(2)
    .nullable()
    .describe('Best and worst rank that the data allows; null while unranked.'),
  movement: z
    .strictObject({
      day: z.number().nullable().describe('Since the day before.'),
      submission: z.number().nullable().describe('Since the last submission of this device.'),
    })
    .describe('Places climbed; negative if lost, null if unknown.'),
  total: z.number().describe('Number of ranked operators.'),
  reasons: z
    .array(
      z.strictObject({
        code: z.string(),
        required: z.number().nullable(),
        actual: z.number().nullable(),
        text: z.string().describe('The reason as text.'),
      }),
    )
    .describe('What is missing to be ranked; empty when ranked.'),
});

const ToolStanding = z.strictObject({
  tool: z.string(),
  has_board: z
    .boolean()
    .describe('Whether the board ranks this tool, which needs two operators who use it.'),
  class_tier: z.string().nullable().describe('In the ranking of this tool.'),
  standings: z.array(WindowStanding).describe('In the ranking of this tool.'),
});

const StandingNotice = z.strictObject({
  kind: z.string(),
  submission: z
    .string()
    .nullable()
    .describe('The ID of the submission; null if the notice is about the account.'),
  reason: z.string().nullable(),
  details: z.array(z.string()),
  advice: z.string().nullable(),
});

export const StandingReport = z
  .strictObject({
    codename: z.string(),
    class_tier: z.string().nullable().describe('Over all tools.'),
    generated_at: z.string().describe('When the board was last updated.'),
    next_refresh_at: z.string().describe('When it is updated next.'),
    last_submission_at: z.string().nullable().describe('Of this device; null if there is none.'),
    counts_from: z
      .string()
      .nullable()
      .describe(
        'When the board will include the last submission of this device; null if it already does.',
      ),
    standings: z
      .array(WindowStanding)
      .describe('For all tools together, one for each window with tokens.'),
    tools: z
      .array(ToolStanding)
      .describe('The same by tool, most used first; empty if the board has none.'),
    page: z
      .string()
      .nullable()
      .describe("URL of the operator's public page; null if there is none."),
    badge_markdown: z
      .string()
      .nullable()
      .describe('Markdown of a badge with the rank; null if there is no public page.'),
    shared: z
      .strictObject({
        records: z
          .int()
          .min(0)
          .describe('Daily counts that several devices sent, in whole or in part.'),
        tokens: z.int().min(0).describe('Tokens in them that count only once.'),
        in_part: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'Daily counts that match only in part, so their total is an estimate; null if unknown.',
          ),
        days: z.int().min(0).describe('Number of UTC days of these daily counts.'),
      })
      .nullable()
      .describe('Counts that the board recognized on several devices; null if it cannot.'),
    notices: z
      .array(StandingNotice)
      .describe('Results of checks and decisions of the admin about the account.'),
  })
  .meta({ id: 'StandingReport', description: 'Ranks and notices of the operator.' });
export type StandingReport = z.infer<typeof StandingReport>;

export const PublicLogReport = z
  .strictObject({
    origin: z.string().nullable().describe('The name of the log.'),
    size: z.int().min(0).nullable().describe('Its entries at the last successful check.'),
    checked_at: z.string().nullable().describe('When it was last checked successfully.'),
    proven: z.int().min(0).describe('Submissions of this device that are proven to be in it.'),
    waiting: z.int().min(0).describe('Submissions of this device without a proof yet.'),
    evidence: z
      .array(z.string())
      .describe('Folders with evidence that the log contradicted itself; empty if it never did.'),
    note: z.string().nullable().describe('What happened at the last check; null if all is well.'),
  })
  .meta({ id: 'PublicLogReport', description: "This device's check of the public log." });
export type PublicLogReport = z.infer<typeof PublicLogReport>;

const BoardSubmission = z.strictObject({
  board: z.string(),
  snapshots: z.int().min(0).describe('Number of snapshots that the board accepted.'),
  records: z.int().min(0).describe('Daily counts in them; 0 if there was nothing new.'),
  receipts: z.array(ShortReceipt).describe('One for each snapshot.'),
  corrections: z
    .array(z.strictObject({ tool: z.string(), from: z.string(), to: z.string() }))
    .describe('Days of a tool that were replaced because its counting rules have changed.'),
  standing: StandingReport.nullable().describe('Null if unknown.'),
  log: PublicLogReport.nullable().describe('Null if the board has no log that can be checked.'),
});
export type BoardSubmission = z.infer<typeof BoardSubmission>;

export const SubmissionReport = z.strictObject({
  dry_run: z.boolean().describe('Whether nothing was sent.'),
  payloads: z
    .array(
      z.strictObject({
        board: z.string(),
        payload: z.string().describe('The exact text that would be signed.'),
      }),
    )
    .describe('What would be sent; empty without `dry_run`.'),
  submissions: z
    .array(BoardSubmission)
    .describe('One for each board, also if only a part was accepted.'),
  failures: z.array(BoardFailure).describe('One for each board that did not accept everything.'),
  notes: z.array(z.string()).describe('What was left out or corrected, and why.'),
});
export type SubmissionReport = z.infer<typeof SubmissionReport>;

/** The members of {@linkcode SubmittedReport} that contain text of other people. */
export const NOTICE_TEXTS = [
  ...['codename', 'class_tier', 'window', 'tool', 'reason', 'details', 'advice'],
  ...['code', 'message', 'hint', 'origin', 'note'],
];

export const SubmittedReport = z.strictObject({ untrusted: Untrusted, ...SubmissionReport.shape });

/** The state of this device and its ranks on each board. */
export const StatusReport = z.strictObject({
  boards: z.array(
    z.strictObject({
      board: z.string(),
      pending: Pending,
      unsigned: z
        .strictObject({ days: z.int().min(0), records: z.int().min(0) })
        .describe('Not signed yet; the next submit signs and sends it.'),
      last_submission_at: z.string().nullable().describe('Time of the newest receipt.'),
      withdrawn_days: z
        .array(z.string())
        .nullable()
        .describe(
          'Days of this device that do not count because their submissions were withdrawn; null if unknown.',
        ),
      standing: StandingReport.nullable().describe('Null if the board could not be asked.'),
      log: PublicLogReport.nullable().describe('Null if the board has no log that can be checked.'),
    }),
  ),
  left_out: z
    .array(LeftOutDay)
    .describe('Daily counts that are not sent because no board accepts their day; at most 100.'),
  copied: z
    .string()
    .nullable()
    .describe('Why nothing is sent if the state folder is a copy; null if it is not.'),
  failures: z.array(BoardFailure),
});
export type StatusReport = z.infer<typeof StatusReport>;
