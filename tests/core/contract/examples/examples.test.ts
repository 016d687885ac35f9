import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import type { AccountExport } from '#core/contract/account-export.ts';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { OperatorDetail, OperatorRecords } from '#core/contract/operators.ts';
import type { BoardKeys, Log } from '#core/contract/log.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { fromBase64, fromBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf, takeApart } from '#core/domain/signing/dsse.ts';
import { checkEnrollment } from '#core/domain/signing/enrollment.ts';
import { entryHash, fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import {
  checkConsistency,
  checkInclusion,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { leafHash } from '#core/domain/tlog/tree.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { sha256, sha256Hex, verifyEd25519 } from '#server/process/crypto.ts';

const replyOf = <Reply>(id: string) => EXAMPLES[id]?.reply as Reply;
const ENVELOPE = replyOf<Envelope>('getSubmissionEnvelope');
const RECEIPT = replyOf<SnapshotReceipt>('submitSnapshot');
const LOG = replyOf<Log>('getLog');
const [BOARD_KEY] = replyOf<BoardKeys>('getBoardKeys').keys;
const EXPORT = replyOf<AccountExport>('exportAccount');
const [DEVICE_KEY] = EXPORT.devices[0]?.keys ?? [];
const ENROLLMENT = EXAMPLES['enrollDevice']?.body as EnrollmentRequest;
const AUDIENCE = replyOf<{ board: { base_url: string } }>('enrollDevice').board.base_url;
const [RECORD] = replyOf<OperatorRecords>('getOperatorRecords').entries;

const routes = ROUTES.map((route) => [route.id, route, EXAMPLES[route.id]] as const);
const tools = { verify: verifyEd25519, sha256 };

function bytesOf(text: string): Uint8Array {
  return fromBase64Url(text) ?? new Uint8Array();
}

function payloadOf({ payload }: Envelope): Uint8Array {
  return fromBase64(payload) ?? new Uint8Array();
}

describe('EXAMPLES', () => {
  test('has one example for every operation and no others', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  });

  test.each(routes)('%s matches its schemas', (_, route, example) => {
    route.params.parse(example?.params);
    route.query.parse(example?.query);
    route.reply.parse(example?.reply);
    if (route.body.type === 'object') route.body.parse(example?.body);
    expect(example?.body !== null).toBe(route.accepts.length > 0);
  });

  test.each([DEVICE_KEY, BOARD_KEY])('names a key by its hash: $keyid', (key) => {
    expect(keyIdOf(bytesOf(key?.public_key ?? ''), sha256)).toBe(key?.keyid);
  });

  test('contains a snapshot that a board accepts, with the counts of the examples', () => {
    const { signed, signature } = takeApart(ENVELOPE, ENVELOPE.payloadType);
    const key = bytesOf(DEVICE_KEY?.public_key ?? '');
    expect(verifyEd25519(signed, signature, key)).toBe(true);
    const snapshot = readSnapshot(payloadOf(ENVELOPE), AUDIENCE);
    const buckets = judgeSnapshot(snapshot, Date.parse(RECEIPT.received_at));
    expect(EXPORT.buckets).toMatchObject(buckets);
    expect(snapshot.records).toEqual([RECORD]);
    expect(buckets.map(composeRecord)).toEqual([RECORD]);
  });

  test('enrolls with a valid proof', async () => {
    const { code, public_key, installation_id, proof } = ENROLLMENT;
    const code_hash = sha256Hex(code.replaceAll('-', ''));
    const request = { audience: AUDIENCE, code_hash, public_key, installation_id };
    const clock = { nowMs: Date.parse(DEVICE_KEY?.enrolled_at ?? ''), maxSkewMs: 0 };
    const key = await checkEnrollment(request, proof, { ...tools, ...clock });
    expect(key.keyid).toBe(DEVICE_KEY?.keyid);
  });

  test('contains a receipt and a log entry that can be recomputed', async () => {
    const boardKey = bytesOf(BOARD_KEY?.public_key ?? '');
    expect(await isReceiptSound(RECEIPT, ENVELOPE, boardKey, tools)).toBe(true);
    const { log_index: index, received_at, entry_hash, proof } = RECEIPT;
    const payload = new TextEncoder().encode(JSON.stringify(ENVELOPE));
    const digest = payloadDigest(fromHex(proof.salt), payload, sha256);
    const head = { index, kind: 'snapshot' as const, previous: proof.previous, received_at };
    expect(entryHash(head, digest, sha256)).toBe(entry_hash);
    expect(LOG.entries).toMatchObject([{ ...proof, payload_digest: digest, entry_hash }]);
  });

  test('signs the head of the log', () => {
    const head = LOG.head.signature;
    const { signed, signature } = takeApart(head, head.payloadType);
    expect(verifyEd25519(signed, signature, bytesOf(BOARD_KEY?.public_key ?? ''))).toBe(true);
  });

  test('proves the entry, and that the log extends an earlier tree', async () => {
    const key = parseVkey(
      'bench.example.org/log+e539ceb3+AftxvhxfqVayiuqH2Cvv7CbZp13RkKJd+4pckRxJKR7I',
      sha256,
    );
    const policy = {
      logs: [{ key, url: null }],
      witnesses: new Map(),
      quorum: { threshold: 0, members: [] },
    };
    const proof = parseLogProof(replyOf<string>('getLogProof'));
    const entry = Buffer.from(proof.extra ?? []);
    expect(entry.toString()).toContain(BOARD_KEY?.valid_from);
    const checkpoint = await checkInclusion(entry, proof, policy, tools);
    const extension = parseConsistency(replyOf<string>('getLogConsistency'));
    // The tree of the first entry is that entry.
    const older = { size: 1, root: leafHash(entry, sha256) };
    await expect(checkConsistency(older, extension, policy, tools)).resolves.toEqual(checkpoint);
  });

  test('contains metrics that match the totals', () => {
    for (const { metrics, totals } of replyOf<Leaderboard>('getLeaderboard').entries) {
      expect(totals && exactMetrics(totals)).toEqual(metrics);
    }
  });

  test('ranks by the requested metric, with shares that add up to 1', () => {
    const board = replyOf<Leaderboard>('getLeaderboard');
    const [first, second] = board.entries.map(({ metrics }) => metrics.yield ?? 0);
    expect(first).toBeCloseTo(18436.98, 2);
    expect(first).toBeGreaterThan(second ?? Infinity);
    const { standing } = replyOf<OperatorDetail>('getOperator');
    const sum = Object.values(standing?.shape ?? {}).reduce<number>((a, b) => a + (b ?? 0), 0);
    const product = Object.values(standing?.cascade ?? {}).reduce<number>(
      (a, b) => a * (b ?? 0),
      1,
    );
    expect(sum).toBeCloseTo(1, 11);
    expect(product).toBeCloseTo(board.entries[0]?.metrics.leverage ?? 0, 7);
  });
});
