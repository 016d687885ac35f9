/** A board with every kind of log entry. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { Caller } from '#core/schema/account.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { databasePath } from '#server/config/config.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { BASE_URL, DAY_MS, type TestDevice, bucketsOfDays } from './builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from './context.ts';
import { unpack } from './stored-forms.ts';
import { runAdmin } from './admin.ts';
import { exportOf } from './public-log.ts';

const FIRST_DAY = '2026-02-20';
const NAMES = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus'] as const;

/**
 * Seven operators with all kinds of submissions, and their boards of three days: some submissions count and some do
 * not, with a correction, self-reports, a compromised device, and operators who are anonymous, private, hidden and
 * deleted.
 */
async function aWholeBoard(): Promise<TestContext> {
  const ctx = testContext();
  const devices: Record<string, TestDevice> = {};
  for (const [index, name] of NAMES.entries()) {
    const device = await anEnrolledDevice(ctx, name);
    devices[name] = device;
    await submit(ctx, device, daysOf(index));
  }
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  await takeOutOfTheCount(ctx, devices);
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  await changeHowTheyAreSeen(ctx);
  publishAndKeep(ctx);
  return ctx;
}

/** Days that no other operator has. */
function daysOf(index: number, over: object = {}) {
  return bucketsOfDays(9, FIRST_DAY, { output: 10_000 + 1_000 * index, ...over });
}

async function takeOutOfTheCount(ctx: TestContext, devices: Record<string, TestDevice>) {
  const now = { reason: 'A reason', now: ctx.now() };
  const more = (name: string, output: number) =>
    submit(ctx, devices[name] as TestDevice, daysOf(0, { output }));
  const held = (await more('ada', 90_000)).answer.id;
  decideSubmission(ctx, { kind: 'hold', id: held, ...now });
  const released = (await more('bob', 91_000)).answer.id;
  decideSubmission(ctx, { kind: 'hold', id: released, ...now });
  decideSubmission(ctx, { kind: 'release', id: released, ...now });
  decideSubmission(ctx, { kind: 'reject', id: (await more('cyd', 92_000)).answer.id, ...now });
  await withdrawSubmission(ctx, callerOf(ctx, 'dan'), (await more('dan', 93_000)).answer.id);
  const correction = { tool: 'claude-code', from: FIRST_DAY, to: '2026-02-22' };
  await submit(ctx, devices['bob'] as TestDevice, daysOf(0, { output: 7 }).slice(0, 1), {
    correction,
  });
  const second = await anEnrolledDevice(ctx, 'bob');
  await submit(ctx, second, daysOf(0, { output: 94_000 }));
  const { id } = callerOf(ctx, 'bob');
  const [, device] = ctx.store.devices.ofOperator(id);
  revokeDevice(ctx, callerOf(ctx, 'bob'), device?.public_id ?? '', 'compromised');
  const byHand = { records: daysOf(4, { tool: 'codex' }).map(composeRecord) };
  await submitRecords(ctx, callerOf(ctx, 'ada'), {
    text: JSON.stringify(byHand),
    idempotencyKey: randomUUID(),
  });
}

async function changeHowTheyAreSeen(ctx: TestContext): Promise<void> {
  const seenAs = (name: string, privacy_mode: 'anonymous' | 'private') =>
    ctx.store.transaction(() =>
      changeVisibility(ctx, callerOf(ctx, name).operator_id, { privacy_mode }),
    );
  seenAs('cyd', 'anonymous');
  seenAs('dan', 'private');
  hideOperator(ctx, { kind: 'hide', name: 'fay', reason: 'A reason' });
  await deleteAccount(ctx, callerOf(ctx, 'eve').operator_id, 'eve');
}

function callerOf(ctx: TestContext, name: string): Caller & { id: number } {
  const { id } = ctx.store.operators.byCodename(name) ?? { id: 0 };
  return { operator_id: id, device_id: null, id } as unknown as Caller & { id: number };
}

/** The environment in which an admin's command finds a board. */
export type Settings = Readonly<{ DATA_DIR: string; BASE_URL: string }>;

/** The stored files of a complete board, copied by each test of a file that needs one. */
export interface KeptWhole {
  database: Buffer;
  /** The lines of its public log. */
  log: string[];
}

let kept: Promise<KeptWhole> | null = null;

/** Created once for all tests of a file. */
export function theWholeBoard(): Promise<KeptWhole> {
  kept ??= aWholeBoard().then((ctx) => {
    const db = new Database(databasePath(ctx.config), { readonly: true });
    const database = db.serialize();
    db.close();
    // As a single file, without a write-ahead log.
    database.fill(1, 18, 20);
    return { database, log: exportOf(ctx) };
  });
  return kept;
}

/** A board with these bytes in its own data folder, with a change that no command makes. */
export function aBoardOf(database: Buffer, change?: (db: Database.Database) => void): Settings {
  const dataDir = aDataDir();
  const path = databasePath({ dataDir });
  writeFileSync(path, database, { mode: 0o600 });
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  if (change) {
    unpack(db);
    change(db);
  }
  db.close();
  return { DATA_DIR: dataDir, BASE_URL };
}

/** The output of `verify --json`. */
export async function verified(settings: Readonly<Record<string, string>>, ...words: string[]) {
  const { status, stdout, stderr } = await runAdmin(['verify', '--json', ...words], settings);
  const said = JSON.parse(stdout || '{}') as {
    findings: { code: string; message: string; log_index?: number }[];
    boards: { kept: string; extent: string; values: string }[];
    unchecked: string[];
    notes: string[];
    whole: boolean;
    log_index: number;
    entry_hash: string;
    submissions: object;
    erased: number;
    operators: number;
  };
  return { status, stderr, ...said };
}
