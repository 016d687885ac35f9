/** A board in its own folder, with a clock that tests set. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { migrate } from '#db/engine/migrate.ts';
import type { Operator } from '#db/operators.ts';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { proveEnrollment } from '#core/domain/signing/enrollment.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { RULESET_NUMBERS, type Ruleset } from '#core/domain/board/ruleset.ts';
import type { Release } from '#core/schema/release.ts';
import {
  SNAPSHOT_PAYLOAD_TYPE_2,
  SNAPSHOT_TYPE_2,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { databasePath } from '#server/config/config.ts';
import { enterRuleset } from '#server/process/rulesets.ts';
import { type AppContext, createContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import type { PublicationData } from '#server/publication/state/board-state.ts';
import { Projection } from '#server/publication/projection.ts';
import { earlierRanksIn } from '#server/publication/read/earlier-ranks.ts';
import { type Publication, publicationOf } from '#server/publication/read/publication.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';
import type { SubmissionResult } from '#server/submission/store-submission.ts';
import {
  BASE_URL,
  type Loose,
  NOW,
  NOW_MS,
  type TestDevice,
  aDevice,
  aPayload,
} from './builders.ts';
import { whenOver } from './cleanup.ts';
import { packCounts } from './editable-counts.ts';
import { change, openToRead } from './stored-forms.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MIGRATIONS = join(ROOT, 'db', 'migrations');

export interface TestContext extends AppContext {
  clock: { nowMs: number };
  /** The logged errors. */
  errors: unknown[];
}

/** A folder that is deleted after the test. */
export function aDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-board-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let migrated: Buffer | undefined;

/** A board's file before its first start. The migrations run once per process. */
export function migratedFile(): Buffer {
  if (migrated) return migrated;
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS, () => new Date(NOW));
  migrated = db.serialize();
  db.close();
  return migrated;
}

/** What a board states about the command that it serves. */
export const RELEASE: Release = {
  name: 'opbench',
  version: '1.2.3',
  node: '>=20',
  package: { url: `${BASE_URL}/opbench-1.2.3.tgz`, integrity: `sha512-${'P'.repeat(86)}==` },
  file: { url: `${BASE_URL}/opbench.mjs`, integrity: `sha512-${'F'.repeat(86)}==` },
};

/** A new board. Closed and deleted after the test. */
export function testContext(
  over: Partial<
    Pick<
      AppContext['config'],
      'access' | 'agents' | 'backup' | 'baseUrl' | 'signIn' | 'webhookNetworks'
    >
  > = {},
): TestContext {
  const clock = { nowMs: NOW_MS };
  const errors: unknown[] = [];
  const config = {
    baseUrl: BASE_URL,
    host: '127.0.0.1',
    port: 0,
    dataDir: aDataDir(),
    site: { ...DEFAULT_SITE, name: 'Test board', description: 'A board under test.' },
    givenSite: {
      name: { value: 'Test board', source: 'environment' as const },
      description: { value: 'A board under test.', source: 'environment' as const },
    },
    given: {},
    refreshMs: 300_000,
    limits: { publicReads: 1_000_000, writes: 1_000_000 },
    trustedProxies: null,
    requestLogging: 'none' as const,
    webhookNetworks: null,
    signIn: {
      authority: null,
      github: null,
      twitter: null,
      mail: null,
      passkeys: 'open' as const,
      contactEmail: null,
      cohorts: [],
    },
    access: {
      read: 'public' as const,
      publicBadges: false,
      join: 'open' as const,
      rules: { mailDomains: [], githubOrganizations: [], claims: [] },
    },
    agents: { mcpOrigins: [], satellite: null },
    eligibility: RULESET_NUMBERS,
    valuesDays: DEFAULT_VALUES_DAYS,
    siteFiles: [],
    updateUrl: null,
    objectStore: null,
    writerUrl: null,
    idleSettings: [],
    metrics: null,
    backup: null,
    witnessPolicy: null,
    root: ROOT,
    ...over,
  };
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (_event: string, error: unknown) => void errors.push(error),
  };
  writeFileSync(databasePath(config), migratedFile(), { mode: 0o600 });
  const ctx = createContext({ config, logger, release: RELEASE, now: () => new Date(clock.nowMs) });
  whenOver(() => ctx.store.close());
  return { ...ctx, clock, errors };
}

export function anOperator(ctx: AppContext, codename: string): Operator {
  const created_at = ctx.now().toISOString();
  const operator = ctx.store.operators.add({ public_id: randomUUID(), codename, created_at });
  if (!operator) throw new Error(`The codename ${codename} is taken`);
  return operator;
}

/** The request body that enrolls a device with a code. */
export async function anEnrollmentRequest(
  ctx: AppContext,
  device: TestDevice,
  code: string,
  over: Partial<EnrollmentRequest> = {},
): Promise<EnrollmentRequest> {
  const { public_key, installation_id } = device;
  const claim = {
    audience: ctx.config.baseUrl,
    code_hash: sha256Hex(code.replaceAll('-', '')),
    public_key,
    installation_id,
    issued_at: ctx.now().toISOString(),
    ...(over.replaces !== undefined && { replaces: over.replaces }),
  };
  const proof = await proveEnrollment(claim, device);
  return { code, public_key, installation_id, label: 'Laptop', proof, ...over };
}

/** Enrolls a device for an existing operator, with a new code. */
export async function enroll(
  ctx: AppContext,
  operator: Pick<Operator, 'id'>,
  device: TestDevice,
  over: Partial<EnrollmentRequest> = {},
) {
  const { code } = createEnrollmentCode(ctx, operator.id);
  return enrollDevice(ctx, await anEnrollmentRequest(ctx, device, code, over));
}

/** A new device of the operator with this codename, who is created if needed. */
export async function anEnrolledDevice(ctx: AppContext, codename: string): Promise<TestDevice> {
  const operator = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  const device = await aDevice();
  await enroll(ctx, operator, device);
  return device;
}

/** Submits buckets as one snapshot, issued now. */
export async function submit(
  ctx: AppContext,
  device: TestDevice,
  buckets: readonly Bucket[],
  over: Loose<SnapshotPayload> = {},
): Promise<SubmissionResult> {
  const payload = aPayload({
    audience: ctx.config.baseUrl,
    issued_at: ctx.now().toISOString(),
    records: buckets.map(composeRecord),
    ...over,
  });
  return submitSnapshot(ctx, JSON.stringify(await device.seal(payload)));
}

/** Submits buckets as a snapshot that states days of their tool. */
export async function submitStating(
  ctx: AppContext,
  device: TestDevice,
  { from, to }: { from: string; to: string },
  buckets: readonly Bucket[],
  over: Loose<SnapshotPayload> = {},
): Promise<SubmissionResult> {
  const payload = {
    ...aPayload({ audience: ctx.config.baseUrl, issued_at: ctx.now().toISOString() }),
    type: SNAPSHOT_TYPE_2,
    covers: { tools: ['claude-code'], from, to },
    records: buckets.map(composeRecord),
    ...over,
  };
  const envelope = await device.seal(payload, SNAPSHOT_PAYLOAD_TYPE_2);
  return submitSnapshot(ctx, JSON.stringify(envelope));
}

/** Changes the ranking rules, as a start with other settings does. */
export function rankBy(ctx: AppContext, ruleset: Ruleset): void {
  ctx.ruleset = ruleset;
  enterRuleset(ctx.store, ruleset, ctx.now());
}

/** Publishes the board's current data as publication `id`. */
export function publish(ctx: AppContext, id = 1): Publication {
  const projection = new Projection(ctx.ruleset);
  const generated_at = ctx.now().toISOString();
  const as_of = generated_at.slice(0, 10);
  const log_index = projection.refresh(ctx.store, as_of);
  projection.keep(ctx.store, generated_at);
  const head = { id, log_index, as_of, ruleset: ctx.ruleset.id, generated_at };
  return makeCurrent(ctx, { head, state: projection.project() });
}

/** Publishes as the server does, so that earlier days are stored. */
export function publishAndKeep(ctx: AppContext): Publication {
  return makeCurrent(
    ctx,
    publishAndStore(ctx.store, new Projection(ctx.ruleset), ctx.now().getTime()),
  );
}

/** A publication as the server shows it. */
export function publicationIn(ctx: AppContext, data: PublicationData): Publication {
  const earlier = (as_of: string) => earlierRanksIn(ctx.store, as_of);
  return publicationOf(data, { refreshMs: ctx.config.refreshMs, earlier });
}

function makeCurrent(ctx: AppContext, data: PublicationData): Publication {
  const publication = publicationIn(ctx, data);
  const earlier = ctx.publications;
  ctx.publications = {
    current: () => publication,
    byId: (wanted, day) => {
      const isCalled = wanted === publication.id || publication.hasVersion(wanted);
      const isOfDay = day === undefined || day === publication.as_of;
      return isCalled && isOfDay ? publication : earlier.byId(wanted, day);
    },
    publishNow: async () => void publish(ctx, publication.id + 1),
  };
  return publication;
}

/** Runs a query on the board's file over a separate connection. */
export function query<Row>(ctx: AppContext, sql: string): Row[] {
  const db = openToRead(databasePath(ctx.config));
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

/** Changes the board's file over a separate connection, because no command makes this change. */
export function execute(ctx: AppContext, sql: string): void {
  const db = new Database(databasePath(ctx.config));
  try {
    change(db, sql);
    packCounts(db, sql);
  } finally {
    db.close();
  }
}

/** Every row of every table. */
export function dumpOf(ctx: AppContext): Record<string, unknown[]> {
  const db = new Database(databasePath(ctx.config), { readonly: true });
  try {
    const names = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
    return Object.fromEntries(
      (names as string[]).map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]),
    );
  } finally {
    db.close();
  }
}
