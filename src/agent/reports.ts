/** What the command tells of its steps with boards: its `--json` and its MCP tools print these shapes. */
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
  .describe('What was signed and not answered yet.');
export type Pending = z.infer<typeof Pending>;

export const LeftOutDay = z
  .strictObject({
    day: z.string(),
    tool: z.string(),
    model: z.string(),
    reason: z.enum(['before_2023', 'in_future']),
  })
  .meta({ id: 'LeftOutDay', description: 'A record of the logs of a day that no board accepts.' });
export type LeftOutDay = z.infer<typeof LeftOutDay>;

export const BoardFailure = z
  .strictObject({
    board: z.string().nullable().describe('Its address; null if it cannot be told which it is.'),
    exit: z
      .enum(EXIT)
      .exclude(['ok'])
      .describe('1 usage, 2 not enrolled, 3 refused by the board, 4 network, 5 partly done.'),
    code: z.string().nullable().describe("The board's own word for it; null if it said none."),
    message: z.string(),
    hint: z.string().nullable().describe('What to do about it.'),
  })
  .meta({ id: 'BoardFailure', description: 'Why a step failed at one board.' });
export type BoardFailure = z.infer<typeof BoardFailure>;

const ShortReceipt = z.strictObject({
  log_index: z.int().min(1).describe('Its place in the log of the board.'),
  entry_hash: z.string().describe('The hash of its log entry.'),
  received_at: z.string().describe('When the board took it in.'),
  ruleset: z.string().describe('The rules that were in force.'),
});

const WindowStanding = z.strictObject({
  window: z.string(),
  yield: z.number().nullable().describe('Null where undefined.'),
  rank: z.number().nullable().describe('By yield; null while unranked.'),
  rank_range: z
    .array(z.number())
    .length(2)
    .nullable()
    .describe('The places that the data allows; null while unranked.'),
  movement: z
    .strictObject({
      day: z.number().nullable().describe('Since the day before.'),
      submission: z.number().nullable().describe('Since this device last sent something.'),
    })
    .describe('Places climbed; null if unknown.'),
  total: z.number().describe('Ranked operators.'),
  reasons: z
    .array(
      z.strictObject({
        code: z.string(),
        required: z.number().nullable(),
        actual: z.number().nullable(),
        text: z.string().describe('The same in words.'),
      }),
    )
    .describe('What is missing to be ranked; empty when ranked.'),
});

const ToolStanding = z.strictObject({
  tool: z.string(),
  has_board: z
    .boolean()
    .describe('Whether the board ranks this tool: two operators have to use it.'),
  class_tier: z.string().nullable().describe("On the tool's own board."),
  standings: z.array(WindowStanding).describe("On the tool's own board."),
});

const StandingNotice = z.strictObject({
  kind: z.string(),
  submission: z.string().nullable().describe('Which one it is about; null for the account.'),
  reason: z.string().nullable(),
  details: z.array(z.string()),
  advice: z.string().nullable(),
});

export const StandingReport = z
  .strictObject({
    codename: z.string(),
    class_tier: z.string().nullable().describe('Over all tools.'),
    generated_at: z.string().describe('When the board was published.'),
    next_refresh_at: z.string().describe('When it is published next.'),
    last_submission_at: z.string().nullable().describe('Of this device; null if it sent none.'),
    counts_from: z
      .string()
      .nullable()
      .describe('When what this device last sent is published; null if it is.'),
    standings: z.array(WindowStanding).describe('Over all tools: one for each window with tokens.'),
    tools: z
      .array(ToolStanding)
      .describe('The same by tool, the one used most first; empty if the board has none.'),
    page: z.string().nullable().describe("The operator's page; null if there is none."),
    badge_markdown: z.string().nullable().describe('Shows the place in a README.'),
    shared: z
      .strictObject({
        records: z.int().min(0).describe('Records that several devices sent, in whole or in part.'),
        tokens: z.int().min(0).describe('Their tokens that count once.'),
        in_part: z
          .int()
          .min(0)
          .nullable()
          .describe('Records of which only a part is the same: an estimate. Null if not known.'),
        days: z.int().min(0).describe('Different UTC days of these records.'),
      })
      .nullable()
      .describe('What the board recognized as the same on several devices; null if it cannot.'),
    notices: z
      .array(StandingNotice)
      .describe('What checks found and the keeper decided about the account.'),
  })
  .meta({ id: 'StandingReport', description: 'Where the operator stands.' });
export type StandingReport = z.infer<typeof StandingReport>;

const BoardSubmission = z.strictObject({
  board: z.string(),
  snapshots: z.int().min(0).describe('Snapshots that the board accepted.'),
  records: z.int().min(0).describe('Records in them; 0 if it had them all.'),
  receipts: z.array(ShortReceipt).describe('One for each snapshot.'),
  corrections: z
    .array(z.strictObject({ tool: z.string(), from: z.string(), to: z.string() }))
    .describe('Days of a tool that were replaced as a whole: its rules of counting changed.'),
  standing: StandingReport.nullable().describe('Null if the board could not tell.'),
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
    .describe('What would be sent; empty unless `dry_run`.'),
  submissions: z
    .array(BoardSubmission)
    .describe('One for each board that was sent to, also if only a part arrived.'),
  failures: z.array(BoardFailure).describe('One for each board that did not take all.'),
  notes: z.array(z.string()).describe('What was left out or corrected, and why.'),
});
export type SubmissionReport = z.infer<typeof SubmissionReport>;

/** The members of {@linkcode SubmittedReport} that hold what other people wrote. */
export const NOTICE_TEXTS = [
  ...['codename', 'class_tier', 'window', 'tool', 'reason', 'details', 'advice'],
  ...['code', 'message', 'hint'],
];

export const SubmittedReport = z.strictObject({ untrusted: Untrusted, ...SubmissionReport.shape });

/** What this device knows of its boards, and what they say of it. */
export const StatusReport = z.strictObject({
  boards: z.array(
    z.strictObject({
      board: z.string(),
      pending: Pending,
      unsigned: z
        .strictObject({ days: z.int().min(0), records: z.int().min(0) })
        .describe('What the logs say that was not signed yet: the next submit signs and sends it.'),
      last_submission_at: z.string().nullable().describe('By the newest receipt.'),
      withdrawn_days: z
        .array(z.string())
        .nullable()
        .describe(
          'Days of this device that do not count because their submissions were withdrawn; null if the board could not tell.',
        ),
      standing: StandingReport.nullable().describe('Null if the board could not be asked.'),
    }),
  ),
  left_out: z
    .array(LeftOutDay)
    .describe('Records that are not sent because no board accepts their day; at most 100.'),
  copied: z
    .string()
    .nullable()
    .describe('Why nothing is sent from here: the state folder is a copy. Null if it is not.'),
  failures: z.array(BoardFailure),
});
export type StatusReport = z.infer<typeof StatusReport>;
