import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { checkCheckpoint } from '#core/domain/tlog/checkpoint-check.ts';
import { parsePolicy } from '#core/domain/tlog/policy.ts';
import { signatureLine } from '#core/domain/tlog/note.ts';
import { parseWitnessRequest } from '#core/domain/tlog/witness.ts';
import { witnessStatePath } from '#server/config/config.ts';
import type { WitnessPolicy } from '#server/config/witness-policy.ts';
import { sha256 } from '#server/process/crypto.ts';
import type { Checkpoints } from '#server/public-log/checkpoints.ts';
import { readLogProof } from '#server/public-log/proofs.ts';
import { WitnessClient } from '#server/witness/witness-client.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { PATIENCE_MS } from '#tests/support/board/time.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import { checkpointsOf, growLog, logKeyOf } from '#tests/support/tlog/board-checkpoints.ts';
import {
  type Behavior,
  type LoopbackWitness,
  aLoopbackWitness,
  honest,
} from '#tests/support/tlog/loopback-witness.ts';
import { aWitness } from '#tests/support/tlog/note-keys.ts';

const HOUR_MS = 3_600_000;
/** For witnesses that never finish an answer. */
const SHORT_MS = 1_000;

function policyOf(witnesses: readonly LoopbackWitness[], threshold = 1): WitnessPolicy {
  const named = witnesses.map(({ key, url }, at) => ({ name: `w${at + 1}`, key, url }));
  const members = named.map(({ name }) => ({ witness: name }));
  return { witnesses: named, quorum: { threshold, members } };
}

/** A board with a checkpoint, and its client of witnesses. */
function aBoard(policy: WitnessPolicy, ctx: TestContext = testContext(), timeoutMs = PATIENCE_MS) {
  const checkpoints = checkpointsOf(ctx);
  checkpoints.advance();
  const clock = { ms: 0 };
  const warnings: object[] = [];
  const alarms: string[] = [];
  const onAlarm = (...alarm: string[]) => void alarms.push(alarm.join(' '));
  const logger = { ...ctx.logger, warn: (_: string, fields = {}) => void warnings.push(fields) };
  const { store, config, now } = ctx;
  const steadyMs = () => clock.ms;
  const options = { policy, checkpoints, store, config, now, steadyMs, logger, onAlarm, timeoutMs };
  const client = new WitnessClient(options);
  const grow = (entries: number) => {
    growLog(ctx, entries);
    checkpoints.advance();
  };
  return { ctx, checkpoints, client, clock, warnings, alarms, grow };
}

/** The names of the witnesses that cosigned the shown checkpoint, as a stranger with the policy finds them. */
async function cosignersOf(
  ctx: TestContext,
  { shown }: Checkpoints,
  witnesses: readonly LoopbackWitness[],
): Promise<string[]> {
  const lines = witnesses.map(({ vkey }, at) => `witness w${at + 1} ${vkey}\n`);
  const text = `log ${logKeyOf(ctx).vkey}\n${lines.join('')}quorum none\n`;
  const policy = parsePolicy(text, sha256);
  const { cosigned } = await checkCheckpoint(shown?.note ?? '', policy, verifyStrict);
  return [...cosigned.keys()];
}

describe('a board with witnesses', () => {
  test('shows their cosignatures in its checkpoint', async () => {
    const witnesses = [await aLoopbackWitness(), await aLoopbackWitness()];
    const { ctx, checkpoints, client } = aBoard(policyOf(witnesses, 2));
    expect(checkpoints.cosigned).toBeNull();

    await client.look();

    expect(await cosignersOf(ctx, checkpoints, witnesses)).toEqual(['w1', 'w2']);
    expect(checkpoints.cosigned).toEqual(checkpoints.shown);
    const [request = ''] = witnesses[0]?.requests ?? [];
    expect(request).toMatch(/^POST \/add-checkpoint\nold 0\n\n/);
    expect(client.witnesses.map(({ report }) => report?.state)).toEqual(['cosigned', 'cosigned']);
    expect(client.hasAlarm).toBe(false);
  });

  test('asks again when the log has grown and an hour has passed, from the size it cosigned', async () => {
    const witness = await aLoopbackWitness();
    const { ctx, checkpoints, client, clock, grow } = aBoard(policyOf([witness]));
    await client.look();
    const first = checkpoints.shown;
    clock.ms += HOUR_MS;
    await client.look();
    expect(witness.requests).toHaveLength(1);

    clock.ms = HOUR_MS - 1;
    grow(300);
    await client.look();
    expect(witness.requests).toHaveLength(1);
    expect(await cosignersOf(ctx, checkpoints, [witness])).toEqual([]);
    expect(checkpoints.cosigned).toEqual(first);
    const proofOf = (log_index: number) => {
      const { store } = ctx;
      return readLogProof({ store, checkpoints }, { log_index, cosigned: 'true' });
    };
    expect(proofOf(1)).toContain(`\n\n${first?.note}`);
    const notFound = expect.objectContaining({ code: 'not_found' }) as Error;
    expect(() => proofOf((first?.size ?? 0) + 1)).toThrow(notFound);

    clock.ms = HOUR_MS;
    await client.look();
    expect(witness.requests.at(-1)).toContain(`\nold ${first?.size}\n`);
    expect(await cosignersOf(ctx, checkpoints, [witness])).toEqual(['w1']);
    expect(checkpoints.cosigned).toEqual(checkpoints.shown);
  });

  test('begins at the size that a witness names with 409', async () => {
    const ctx = testContext();
    const before = aBoard(policyOf([]), ctx).checkpoints.shown;
    growLog(ctx, 5);
    const witness = await aLoopbackWitness(honest(before));
    const { checkpoints, client } = aBoard(policyOf([witness]), ctx);

    await client.look();

    const sizes = witness.requests.map((request) => /old (\d+)/.exec(request)?.[1]);
    expect(sizes).toEqual(['0', String(before?.size)]);
    expect(await cosignersOf(ctx, checkpoints, [witness])).toEqual(['w1']);
  });

  test('keeps cosignatures over a restart, and then asks only the others', async () => {
    const witnesses = [await aLoopbackWitness(), await aLoopbackWitness(() => 'never')];
    const policy = policyOf(witnesses);
    const { ctx, checkpoints, client } = aBoard(policy, testContext(), SHORT_MS);
    await client.look();
    const { shown } = checkpoints;

    const restarted = aBoard(policy, ctx, SHORT_MS);

    expect(restarted.checkpoints.shown).toEqual(shown);
    expect(restarted.checkpoints.cosigned).toEqual(shown);
    await restarted.client.look();
    expect(witnesses.map(({ requests }) => requests.length)).toEqual([1, 2]);
  });

  test('adds the cosignature of a witness that was down', async () => {
    const witnesses = [await aLoopbackWitness(), await aLoopbackWitness(() => 'never')];
    const { ctx, checkpoints, client, clock } = aBoard(
      policyOf(witnesses, 2),
      testContext(),
      SHORT_MS,
    );
    await client.look();
    expect(await cosignersOf(ctx, checkpoints, witnesses)).toEqual(['w1']);
    expect(checkpoints.cosigned).toBeNull();
    Object.assign(witnesses[1] ?? {}, { behave: honest() });
    clock.ms = HOUR_MS;

    await client.look();

    expect(witnesses[0]?.requests).toHaveLength(1);
    expect(await cosignersOf(ctx, checkpoints, witnesses)).toEqual(['w1', 'w2']);
    expect(checkpoints.cosigned).toEqual(checkpoints.shown);
  });

  test('does not ask twice at the same time, and does not wait for a slow witness', async () => {
    const witness = await aLoopbackWitness(() => 'never');
    const { checkpoints, client, grow } = aBoard(policyOf([witness]), testContext(), SHORT_MS);
    const first = client.look();
    const before = checkpoints.shown?.size ?? 0;

    grow(1);

    expect(checkpoints.shown?.size).toBe(before + 1);
    expect(client.look()).toBe(first);
    await first;
    expect(witness.requests).toHaveLength(1);
  });

  test('writes nothing after it was stopped', async () => {
    const { ctx, client } = aBoard(policyOf([await aLoopbackWitness()]));
    const asked = client.look();
    client.stop();
    await asked;

    expect(existsSync(witnessStatePath(ctx.config))).toBe(false);
  });

  test.each(['', '{', '{"origin":"x"}'])('begins anew with a state file of %j', async (text) => {
    const witness = await aLoopbackWitness();
    const policy = policyOf([witness]);
    const { ctx, client } = aBoard(policy);
    await client.look();
    writeFileSync(witnessStatePath(ctx.config), text);

    const restarted = aBoard(policy, ctx);
    await restarted.client.look();

    expect(await cosignersOf(ctx, restarted.checkpoints, [witness])).toEqual(['w1']);
    expect(JSON.parse(readFileSync(witnessStatePath(ctx.config), 'utf8'))).toHaveProperty('newest');
  });
});

const textIn = (body: string) => parseWitnessRequest(body).note.text;
const other = aWitness('other.example/w');
const NOW_S = 1_700_000_000;

/** Witnesses that err or lie, and what the board makes of it. */
const WITNESSES: readonly [name: string, behavior: Behavior, state: string, detail?: RegExp][] = [
  ['does not know the log', () => ({ status: 404, body: '' }), 'unknown_log'],
  ['knows another key', () => ({ status: 403, body: '' }), 'wrong_key'],
  ['sees a split', () => ({ status: 422, body: '' }), 'inconsistent'],
  ['cosigned another tree of this size', conflicting, 'inconsistent'],
  ['cosigned a larger tree', () => ({ status: 409, body: '1000000\n' }), 'ahead'],
  ['names no size', () => ({ status: 409, body: 'seven\n' }), 'failed', /no size/],
  [
    'names a size of 400 digits',
    () => ({ status: 409, body: '9'.repeat(400) }),
    'failed',
    /no size/,
  ],
  ['always answers 409', () => ({ status: 409, body: '1\n' }), 'failed', /HTTP 409/],
  ['fails', () => ({ status: 500, body: 'x' }), 'failed', /HTTP 500/],
  ['limits', () => ({ status: 429, body: 'x' }), 'failed', /HTTP 429/],
  ['redirects', () => ({ status: 302, body: '' }), 'failed', /HTTP 302/],
  ['never answers', () => 'never', 'failed', /in time/],
  ['drips', () => 'dripping', 'failed', /in time/],
  ['answers nothing', () => ({ status: 200, body: '' }), 'failed', /line feed/],
  ['answers garbage', () => ({ status: 200, body: 'ok\n' }), 'failed', /em dash/],
  [
    'answers too much',
    () => ({ status: 200, body: 'x'.repeat(10_000_000) }),
    'failed',
    /too large/,
  ],
  [
    'signs with another key',
    (body) => ({ status: 200, body: signatureLine(other.cosign(textIn(body), NOW_S)) }),
    'failed',
    /no cosignature/,
  ],
  [
    'signs another size',
    (body, witness) => {
      const text = textIn(body).replace(/\n\d+\n/, '\n1\n');
      return { status: 200, body: signatureLine(witness.cosign(text, NOW_S)) };
    },
    'failed',
    /not valid/,
  ],
  [
    'flips a bit',
    (body, witness) => {
      const cosignature = witness.cosign(textIn(body), NOW_S);
      const signature = cosignature.signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte));
      return { status: 200, body: signatureLine({ ...cosignature, signature }) };
    },
    'failed',
    /not valid/,
  ],
  [
    'signs for next year',
    (body, witness) => {
      return { status: 200, body: signatureLine(witness.cosign(textIn(body), 2_000_000_000)) };
    },
    'failed',
    /clock/,
  ],
];

function conflicting(body: string) {
  const { checkpoint } = parseWitnessRequest(body);
  return { status: 409, body: `${checkpoint.size}\n` };
}

test('an alarm is announced once, and lasts while the witness cannot be reached', async () => {
  const witness = await aLoopbackWitness(() => ({ status: 422, body: '' }));
  const { client, alarms, clock } = aBoard(policyOf([witness]));
  const lookAgain = async (behave: Behavior) => {
    Object.assign(witness, { behave });
    clock.ms += HOUR_MS;
    await client.look();
    return [client.hasAlarm, ...alarms];
  };
  await client.look();

  expect(await lookAgain(() => ({ status: 422, body: '' }))).toEqual([true, 'w1 inconsistent']);
  expect(await lookAgain(() => ({ status: 500, body: '' }))).toEqual([true, 'w1 inconsistent']);
  expect(await lookAgain(honest())).toEqual([false, 'w1 inconsistent']);
});

describe('a witness that', () => {
  test.each(WITNESSES)('%s changes no checkpoint', async (_name, behavior, state, detail) => {
    const [witness, sound] = [await aLoopbackWitness(behavior), await aLoopbackWitness()];
    const isSlow = detail?.source === 'in time';
    const policy = policyOf([witness, sound]);
    const timeoutMs = isSlow ? SHORT_MS : PATIENCE_MS;
    const { ctx, checkpoints, client, warnings, clock } = aBoard(policy, testContext(), timeoutMs);

    await client.look();

    const [bad, good] = client.witnesses.map(({ report }) => report);
    expect([bad?.state, good?.state]).toEqual([state, 'cosigned']);
    if (detail) expect(bad?.detail).toMatch(detail);
    expect(await cosignersOf(ctx, checkpoints, [witness, sound])).toEqual(['w2']);
    expect(witness.requests.length).toBeLessThanOrEqual(2);
    const isAlarm = state === 'inconsistent' || state === 'ahead';
    expect(client.hasAlarm).toBe(isAlarm);
    expect(ctx.errors).toHaveLength(isAlarm ? 1 : 0);
    expect(warnings).toHaveLength(isAlarm ? 0 : 1);

    Object.assign(witness, { behave: honest() });
    clock.ms = HOUR_MS;
    await client.look();
    expect(client.hasAlarm).toBe(false);
    expect(await cosignersOf(ctx, checkpoints, [witness, sound])).toEqual(['w1', 'w2']);
  });

  test('cannot be reached changes no checkpoint', async () => {
    const url = `http://127.0.0.1:${await aFreePort()}`;
    const nowhere = { ...aWitness(), url, requests: [], behave: honest() };
    const { client, ctx } = aBoard(policyOf([nowhere]));

    await client.look();

    expect(client.witnesses[0]?.report).toMatchObject({ state: 'failed', detail: 'ECONNREFUSED' });
    expect(ctx.errors).toEqual([]);
  });
});
