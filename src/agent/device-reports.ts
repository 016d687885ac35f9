/** What the command tells of the device that it runs on: its `--json` and its MCP tools print these shapes. */
import * as z from 'zod';
import { SKIP_REASONS } from '#core/readers/reader.ts';
import { TokenCount } from '#core/schema/scalars.ts';
import { EXIT } from './failure.ts';
import { Pending, Untrusted } from './reports.ts';

const Pillar = TokenCount.nullable();

const TokenTotals = z
  .strictObject({
    input: TokenCount,
    output: TokenCount,
    cache_write: Pillar,
    cache_read: Pillar,
    total: TokenCount.describe('The sum of the four.'),
  })
  .describe('Tokens; null where no log reports them.');

const SourceReport = z.strictObject({
  tool: z.string(),
  roots: z.array(z.string()).describe('The folders looked at, also those that are not there.'),
  files: z.int().min(0),
  events: z.int().min(0).describe('Responses, each counted once.'),
  skipped_lines: z.int().min(0).describe('Lines left out.'),
  skipped: z
    .partialRecord(z.enum(SKIP_REASONS), z.int().min(1))
    .describe('The same by reason, with responses too large to count.'),
  unreadable: z.array(z.string()).describe('Files and folders left out, with the reason.'),
});
export type SourceReport = z.infer<typeof SourceReport>;

export const ScanReport = z.strictObject({
  totals: TokenTotals,
  days: z.int().min(0).describe('Days with any token.'),
  sources: z.array(SourceReport).describe('One for each tool.'),
  notes: z.array(z.string()).describe('What makes scans slow without making them wrong.'),
});
export type ScanReport = z.infer<typeof ScanReport>;

const FolderReport = z.strictObject({ path: z.string(), writable: z.boolean() });
export type FolderReport = z.infer<typeof FolderReport>;

const LogReport = z.strictObject({
  ...SourceReport.shape,
  roots: z.array(z.strictObject({ path: z.string(), exists: z.boolean() })),
});
export type LogReport = z.infer<typeof LogReport>;

const BoardReport = z
  .strictObject({
    board: z.string(),
    name: z.string().nullable(),
    codename: z.string().nullable(),
    keyid: z.string().nullable(),
    key: z.enum(['fine', 'revoked', 'unknown', 'refused']).nullable(),
    reachable: z.boolean().nullable(),
    version: z.string().nullable().describe('The version of opbench that it serves.'),
    clock_skew_ms: z
      .number()
      .nullable()
      .describe("How far this device's clock is ahead of the board's, in milliseconds."),
    last_submission_at: z.string().nullable(),
    pending: Pending,
    proxy: z
      .string()
      .nullable()
      .describe('The proxy that leads there, without credentials; null if none does.'),
  })
  .describe('One board; null is what was not asked or not told.');
export type DeviceBoardReport = z.infer<typeof BoardReport>;

/** What came of one run of the timer: a line of its log. */
export const TimerRun = z.looseObject({
  at: z.iso.datetime(),
  duration_ms: z.number(),
  version: z.string(),
  exit: z.enum(EXIT),
  skipped: z.boolean().describe('Whether another run was going on, so that this one did nothing.'),
  message: z.string().nullable().describe('Why the whole run failed.'),
  boards: z.array(
    z.looseObject({
      board: z.string().nullable(),
      records: z.number().describe('What the board took.'),
      exit: z.enum(EXIT),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type TimerRun = z.infer<typeof TimerRun>;

const TimerReport = z.strictObject({
  state: z.enum(['on', 'off']),
  timer: z.enum(['systemd', 'cron']).nullable(),
  node: z.string().nullable().describe('The Node that runs it; null if it is off.'),
  file: z.string().nullable().describe('What it runs.'),
  since: z.string().nullable(),
  log: z.string().describe('The file of a line a run.'),
  last_run: TimerRun.nullable(),
  last_good_at: z.string().nullable().describe('When a run last did all that it should.'),
});
export type TimerReport = z.infer<typeof TimerReport>;

const Finding = z.strictObject({
  severity: z.enum(['problem', 'warning']),
  exit: z.enum(EXIT).describe('The exit code of a problem; 0 for a warning.'),
  text: z.string(),
  advice: z.string().describe('What to do about it.'),
});
export type FindingReport = z.infer<typeof Finding>;

const ProgramReport = z.strictObject({
  file: z.string(),
  version: z.string(),
  node: z.strictObject({
    path: z.string(),
    version: z.string(),
    zstd: z.boolean(),
    sqlite: z.boolean(),
  }),
  copy: z.strictObject({
    path: z.string(),
    exists: z.boolean(),
    version: z.string().nullable(),
  }),
});
export type ProgramReport = z.infer<typeof ProgramReport>;

const LedgerReport = z.strictObject({
  path: z.string(),
  state: z
    .enum(['fine', 'damaged', 'unsaved', 'blocked'])
    .describe('Blocked: a newer version wrote it, or it cannot be read.'),
  responses: z.int().min(0),
  daily_counts: z.int().min(0),
  only_here: z
    .strictObject({ responses: z.int().min(0), tokens: TokenCount })
    .describe('What the logs do not hold any more.'),
  carried: z
    .array(
      z.strictObject({
        board: z.string().nullable().describe('Null for what a damaged file of the ledger held.'),
        daily_counts: z.int().min(1),
        tokens: TokenCount,
      }),
    )
    .describe('Daily counts, or parts of them, of which no response is known.'),
  set_aside: z.array(z.string()).describe('Damaged files under other names.'),
});
export type LedgerReport = z.infer<typeof LedgerReport>;

export const DoctorReport = z.strictObject({
  program: ProgramReport,
  state: FolderReport.describe('Where keys and receipts are.'),
  index: FolderReport.describe('Where the index of logs is.'),
  logs: z.array(LogReport).describe('One for each tool.'),
  ledger: LedgerReport,
  boards: z.array(BoardReport),
  auto: TimerReport.describe('What submits by itself.'),
  repaired: z.array(z.string()).describe('What --repair did.'),
  findings: z.array(Finding).describe('What is wrong, problems first; empty if nothing is.'),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

/** The members of {@linkcode CheckedInstallation} that may hold what boards say. */
export const FINDING_TEXTS = ['name', 'codename', 'text', 'advice'];

/** As agents read it. */
export const CheckedInstallation = z.strictObject({ untrusted: Untrusted, ...DoctorReport.shape });
