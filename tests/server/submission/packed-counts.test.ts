import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { databasePath } from '#server/config/config.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { countedUsage } from '#tests/support/board/counted-usage.ts';
import { aFingerprint } from '#tests/support/board/fingerprints.ts';
import { idsOf, replace } from '#tests/support/board/replacing.ts';
import { unmoveCounts } from '#tests/support/board/unmoved-counts.ts';

const DAYS = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'] as const;
const few = fc.nat(3);
const bucket = fc
  .record({
    day: fc.constantFrom(...DAYS),
    tool: fc.constantFrom('claude-code', 'codex'),
    model: fc.constantFrom('m', 'n'),
    output: fc.oneof(few, fc.nat()),
    cache_write: fc.option(few),
    cache_read: fc.option(few),
    fingerprint: fc.option(aFingerprint, { nil: undefined }),
  })
  .map(aBucket);
const device = fc.nat(1);
const submission = fc.record({
  kind: fc.constant('submit' as const),
  device,
  isCorrection: fc.boolean(),
  buckets: fc.uniqueArray(bucket, { selector: bucketKey, minLength: 1, maxLength: 4 }),
});
const change = fc.record({
  kind: fc.constantFrom('withdraw', 'restore', 'hold', 'release', 'reject'),
  /** The submission, counted from the newest. */
  of: fc.nat(3),
});
const loss = fc.record({ kind: fc.constantFrom('recall', 'replace'), device });
const other = fc.oneof(
  loss,
  fc.record({ kind: fc.constant('report'), output: fc.nat() }),
  fc.record({ kind: fc.constant('delete') }),
  // An upgrade from an earlier version, and a step of moving what it stored.
  fc.record({ kind: fc.constant('unmove'), rest: fc.nat(2) }),
  fc.record({ kind: fc.constant('move') }),
);
const anySteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: submission },
    { weight: 5, arbitrary: change },
    { weight: 4, arbitrary: other },
  ),
  { minLength: 3, maxLength: 16 },
);

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof anySteps>[number];

const TABLES = ['daily_counts', 'sources', 'unmoved_buckets', 'usage_blocks'];
const CORRECTION = { tool: 'claude-code', from: DAYS[1], to: DAYS[2] };
/** The errors of steps that are not possible in the state of a submission, device or account. */
const REFUSALS = ['device_not_replaceable', 'key_revoked', 'state_conflict', 'not_found'];

/** An account that changes at random. */
class Account {
  readonly ctx: TestContext;
  readonly codename: string;
  readonly devices: Awaited<ReturnType<typeof anEnrolledDevice>>[] = [];
  readonly #ids: string[] = [];
  operator_id = 0;

  constructor(ctx: TestContext, codename: string) {
    this.ctx = ctx;
    this.codename = codename;
  }

  async enroll(): Promise<void> {
    for (let at = 0; at < 2; at += 1) {
      this.devices[at] = await anEnrolledDevice(this.ctx, this.codename);
    }
    this.operator_id = this.ctx.store.operators.byCodename(this.codename)?.id ?? 0;
    this.#ids.length = 0;
  }

  async perform(step: Step): Promise<void> {
    try {
      await this.#perform(step);
    } catch (error) {
      if (!(error instanceof DomainError) || !REFUSALS.includes(error.code)) throw error;
    }
  }

  async #perform(step: Step): Promise<void> {
    if ('buckets' in step) return this.#submit(step);
    if ('of' in step) return this.#change(step);
    if ('device' in step) return this.#lose(step);
    if ('output' in step) return this.#report(step.output);
    if ('rest' in step) {
      return withFile(this.ctx, (db) => unmoveCounts(db, `c.day % 3 = ${step.rest}`));
    }
    if (step.kind === 'move') return this.ctx.store.moves.forEach((move) => move.step());
    await deleteAccount(this.ctx, this.operator_id, this.codename);
    for (const table of TABLES) {
      const rows = `SELECT 1 FROM ${table} WHERE operator_id = ${this.operator_id}`;
      expect(query(this.ctx, rows)).toEqual([]);
    }
    await this.enroll();
  }

  async #lose({ kind, device: at }: Drawn<typeof loss>): Promise<void> {
    const { ctx, operator_id } = this;
    const own = this.devices[at];
    if (!own) return;
    if (kind === 'replace') {
      this.devices[at] = await replace(ctx, own);
    } else {
      const caller = { operator_id, device_id: null };
      revokeDevice(ctx, caller, idsOf(ctx, own).public_id, 'compromised');
    }
  }

  async #report(output: number): Promise<void> {
    const { ctx, operator_id } = this;
    const text = JSON.stringify(composeRecord(aBucket({ day: DAYS[2], output })));
    await submitRecords(ctx, { operator_id }, { text, idempotencyKey: String(output) });
  }

  async #submit({ device: at, isCorrection, buckets }: Drawn<typeof submission>): Promise<void> {
    const own = this.devices[at];
    if (!own) return;
    const correction = isCorrection ? CORRECTION : null;
    this.#ids.push((await submit(this.ctx, own, buckets, { correction })).answer.id);
  }

  async #change({ kind, of }: Drawn<typeof change>): Promise<void> {
    const { ctx, operator_id } = this;
    const id = this.#ids.at(-1 - of);
    if (id === undefined) return;
    const caller = { operator_id, device_id: null };
    if (kind === 'withdraw') await withdrawSubmission(ctx, caller, id);
    else if (kind === 'restore') await restoreSubmission(ctx, caller, id);
    else decideSubmission(ctx, { kind: kind as 'hold', id, reason: 'a test' });
  }
}

function withFile(ctx: TestContext, work: (db: Database.Database) => void): void {
  const db = new Database(databasePath(ctx.config));
  db.pragma('synchronous = OFF');
  work(db);
  db.close();
}

/** The packed months are what the daily counts say, and boards read the same from both. */
function expectPacked({ ctx, operator_id }: Account): void {
  const { store } = ctx;
  const inspection = inspectDatabase(databasePath(ctx.config));
  try {
    expect(inspection.replayed.wrongMonths(operator_id)).toEqual([]);
  } finally {
    inspection.close();
  }
  const rows = countedUsage(store, operator_id);
  expect(store.usage.of(operator_id)).toEqual(rows);
  const all = [...store.usage.ofRange({ first: 1, last: operator_id + 200 })];
  expect(all.find((one) => one.operator_id === operator_id)?.usage ?? []).toEqual(rows);
}

test('packed counts are those of the daily counts after each step of a random history', async () => {
  const ctx = testContext();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const account = new Account(ctx, `operator-${(runs += 1)}`);
      await account.enroll();
      for (const step of steps) {
        await account.perform(step);
        expectPacked(account);
      }
    }),
    { numRuns: 40 },
  );
  expect(query(ctx, 'SELECT 1 FROM usage_blocks')).not.toEqual([]);
});
