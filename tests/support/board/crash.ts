/** A board whose server is killed repeatedly while devices submit. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { checkConsistency, parseConsistency } from '#core/domain/tlog/log-proof.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import { EMPTY_ROOT, type TreeHead } from '#core/domain/tlog/tree.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { policyOf } from '../tlog/board-checkpoints.ts';
import { publishedLogKey } from '../tlog/published-log-key.ts';
import type { TestDevice } from './builders.ts';
import { aDataDir } from './context.ts';
import {
  type Acknowledged,
  enrolledSenders,
  expectWhole,
  sendUntilGone,
  startBusy,
} from '../agent/senders.ts';
import type { RunningServer } from '../http/server.ts';
import { enrollOverHttp, postSnapshot } from '../http/wire.ts';

/** The maximum number of snapshots in flight before the server is killed. */
const MAX_SENDS = 18;
/** In one of this many rounds, an account is being deleted. */
const DELETION_ROUNDS = 5;

/** Kills the server while the `sends`-th snapshot is in flight, or sooner if `isNow`. */
export async function killAfter(
  server: RunningServer,
  devices: readonly TestDevice[],
  { sends, isNow }: { sends: number; isNow: () => boolean },
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let sent = 0;
  await sendUntilGone(server, devices, {
    onSend: () => {
      sent += 1;
      if (sent === sends || isNow()) void setImmediate().then(() => server.stop('SIGKILL'));
    },
    onAcknowledged: (what) => acknowledged.push(what),
  });
  return acknowledged;
}

/** Deletes an account. Returns whether the server acknowledged that. */
async function anAccountToDelete(server: RunningServer, codename: string) {
  const cookie = await server.signIn(codename);
  await enrollOverHttp(server, cookie);
  const outcome = { isDeleted: false };
  const begin = () => {
    const headers = { cookie, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ confirm: codename });
    const asked = { method: 'POST', headers, body };
    return fetch(`${server.url}/api/v1/account/delete`, asked).then(
      ({ ok }) => void (outcome.isDeleted = ok),
      () => undefined,
    );
  };
  return { begin, outcome };
}

/** The rest of an account, which must be everything or nothing. */
function leftOf(dataDir: string, codename: string): number[] {
  const db = new Database(join(dataDir, 'opbench.sqlite'), { readonly: true });
  const count = (sql: string) => db.prepare(sql).pluck().get(codename) as number;
  const left = [
    count('SELECT count(*) FROM operators WHERE codename = ?'),
    count('SELECT count(*) FROM devices JOIN operators o ON o.id = operator_id WHERE codename = ?'),
  ];
  db.close();
  return left;
}

/** One run of a server. Returns what it acknowledged. */
async function live(
  server: RunningServer,
  devices: readonly TestDevice[],
  round: number,
): Promise<Acknowledged[]> {
  const { dataDir } = server;
  const draft = join(dataDir, 'log.ndjson.gz.tmp');
  const sends = 3 + ((3 * round) % MAX_SENDS);
  // The public log's file is written at startup.
  const isNow = () => round % 3 === 0 && existsSync(draft);
  if (round % DELETION_ROUNDS > 0) return killAfter(server, devices, { sends, isNow });
  const codename = `gone-${round}`;
  const { begin, outcome } = await anAccountToDelete(server, codename);
  const deletion = begin();
  const acknowledged = await killAfter(server, devices, { sends, isNow });
  await deletion;
  const left = leftOf(dataDir, codename);
  expect(
    outcome.isDeleted
      ? [[0, 0]]
      : [
          [0, 0],
          [1, 1],
        ],
  ).toContainEqual(left);
  return acknowledged;
}

/** Expects that the newest checkpoint extends an earlier one. Returns the newest. */
async function expectExtended(
  { url }: RunningServer,
  older: TreeHead,
  policy: Policy,
): Promise<TreeHead> {
  const response = await fetch(`${url}/api/v1/log/consistency?from=${older.size}`);
  const proof = parseConsistency(await response.text());
  return checkConsistency(older, proof, policy, { sha256, verify: verifyEd25519 });
}

/**
 * Kills the server while it does everything at the same time. Expects that nothing acknowledged is lost, nothing is
 * incomplete, and each checkpoint extends those before.
 */
export async function expectToSurvive(rounds: readonly number[]): Promise<void> {
  const dataDir = aDataDir();
  let server = await startBusy(dataDir);
  const devices = await enrolledSenders(server);
  const acknowledged: Acknowledged[] = [];
  const policy = policyOf(await publishedLogKey(server.url));
  let tree: TreeHead = { size: 0, root: EMPTY_ROOT };
  for (const round of rounds) {
    acknowledged.push(...(await live(server, devices, round)));
    expectWhole(dataDir, acknowledged);
    server = await startBusy(dataDir);
    tree = await expectExtended(server, tree, policy);
  }

  // A repeated request gets the same response as before.
  expect(acknowledged.length).toBeGreaterThan(rounds.length);
  for (const { envelope, answer } of acknowledged.slice(-3 * MAX_SENDS)) {
    expect(await postSnapshot(server, envelope)).toMatchObject({ status: 200, body: answer });
  }
}
