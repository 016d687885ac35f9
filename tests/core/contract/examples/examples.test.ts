import { describe, expect, test } from 'vitest';
import * as parts from '#core/contract/examples/parts.ts';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import type { OperatorDetail } from '#core/contract/operators.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { fromBase64, fromBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf, takeApart } from '#core/domain/signing/dsse.ts';
import { checkEnrollment } from '#core/domain/signing/enrollment.ts';
import { entryHash, fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { sha256, sha256Hex, verifyEd25519 } from '#server/process/crypto.ts';

const routes = ROUTES.map((route) => [route.id, route, EXAMPLES[route.id]] as const);
const tools = { verify: verifyEd25519, sha256 };

function bytesOf(text: string): Uint8Array {
  return fromBase64Url(text) ?? new Uint8Array();
}

function payloadOf({ payload }: Envelope): Uint8Array {
  return fromBase64(payload) ?? new Uint8Array();
}

describe('EXAMPLES', () => {
  test('has one for every operation and no other', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  });

  test.each(routes)('%s fits its schemas', (_, route, example) => {
    route.params.parse(example?.params);
    route.query.parse(example?.query);
    route.reply.parse(example?.reply);
    if (route.body.type === 'object') route.body.parse(example?.body);
    expect(example?.body !== null).toBe(route.accepts.length > 0);
  });

  test.each([parts.DEVICE_KEY, parts.BOARD_KEY])('names a key by its hash: $keyid', (key) => {
    expect(keyIdOf(bytesOf(key.public_key), sha256)).toBe(key.keyid);
  });

  test('sends a snapshot that its board accepts', () => {
    const { signed, signature } = takeApart(parts.ENVELOPE, parts.ENVELOPE.payloadType);
    expect(verifyEd25519(signed, signature, bytesOf(parts.DEVICE_KEY.public_key))).toBe(true);
    const snapshot = readSnapshot(payloadOf(parts.ENVELOPE), parts.AUDIENCE);
    const buckets = judgeSnapshot(snapshot, Date.parse(parts.RECEIVED_AT));
    expect(buckets).toEqual([parts.BUCKET]);
    expect(snapshot.records).toEqual([parts.RECORD]);
  });

  test('enrols with a proof that holds', async () => {
    const { public_key, keyid } = parts.DEVICE_KEY;
    const request = {
      audience: parts.AUDIENCE,
      code_hash: sha256Hex(parts.CODE.replaceAll('-', '')),
      public_key,
      installation_id: parts.INSTALLATION,
    };
    const clock = { nowMs: Date.parse(parts.ENROLLED_AT), maxSkewMs: 0 };
    const key = await checkEnrollment(request, parts.PROOF, { ...tools, ...clock });
    expect(key.keyid).toBe(keyid);
  });

  test('answers with a receipt and a log entry that can be recomputed', async () => {
    const receipt = EXAMPLES['submitSnapshot']?.reply as Parameters<typeof isReceiptSound>[0];
    const boardKey = bytesOf(parts.BOARD_KEY.public_key);
    expect(await isReceiptSound(receipt, parts.ENVELOPE, boardKey, tools)).toBe(true);
    const { log_index: index, previous, salt } = parts.ENTRY;
    const payload = new TextEncoder().encode(JSON.stringify(parts.ENVELOPE));
    const digest = payloadDigest(fromHex(salt), payload, sha256);
    const head = { index, kind: 'snapshot' as const, previous, received_at: parts.RECEIVED_AT };
    expect(digest).toBe(parts.ENTRY.payload_digest);
    expect(entryHash(head, digest, sha256)).toBe(parts.ENTRY.entry_hash);
  });

  test('signs the head of the log', () => {
    const { signed, signature } = takeApart(parts.LOG_HEAD, parts.LOG_HEAD.payloadType);
    expect(verifyEd25519(signed, signature, bytesOf(parts.BOARD_KEY.public_key))).toBe(true);
  });

  test('ranks by the metric that it asks for, with the shares of one whole', () => {
    const board = EXAMPLES['getLeaderboard']?.reply as Leaderboard;
    const [first, second] = board.entries.map(({ metrics }) => metrics.yield ?? 0);
    expect(first).toBeCloseTo(18436.98, 2);
    expect(first).toBeGreaterThan(second ?? Infinity);
    const { standing } = EXAMPLES['getOperator']?.reply as OperatorDetail;
    const sum = Object.values(standing?.shape ?? {}).reduce<number>((a, b) => a + (b ?? 0), 0);
    const product = Object.values(standing?.cascade ?? {}).reduce<number>(
      (a, b) => a * (b ?? 0),
      1,
    );
    expect(sum).toBeCloseTo(1, 11);
    expect(product).toBeCloseTo(board.entries[0]?.metrics.leverage ?? 0, 7);
  });
});
