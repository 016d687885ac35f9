import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import { fromBase64Url } from '#core/domain/text/base64.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { readDeviceToken } from '#server/identity/device-tokens.ts';
import { ROOT, type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { protocolVectors } from '#tests/support/protocol/protocol-vectors.ts';
import { type Vectors, verifyVectors } from '#tests/support/protocol/protocol-verifier.ts';
import { verify } from '#tests/support/board/public-log.ts';

const FILE = join(ROOT, 'src', 'core', 'contract', 'protocol-vectors.json');
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;
const { device } = vectors.keys;

/** A board with the URL, time and code of the vectors. */
function theBoard(): TestContext {
  const ctx = testContext({ baseUrl: vectors.base_url });
  ctx.clock.nowMs = Date.parse(vectors.now);
  const operator_id = anOperator(ctx, 'ada').id;
  const code = {
    code_hash: vectors.enrollment.code_hash,
    operator_id,
    created_at: vectors.now,
    expires_at: '2026-03-02T09:10:00.000Z',
  };
  ctx.store.enrollmentCodes.add(code, 1);
  return ctx;
}

async function enrolled(): Promise<TestContext> {
  const ctx = theBoard();
  const request = vectors.enrollment.request as unknown as EnrollmentRequest;
  await enrollDevice(ctx, request);
  return ctx;
}

test('the published vectors are what this code creates (after a change: vitest run FILE --update)', async () => {
  const text = await format(JSON.stringify(await protocolVectors()), {
    parser: 'json',
    printWidth: 100,
  });
  await expect(text).toMatchFileSnapshot(FILE);
});

describe('an independent implementation', () => {
  test('recomputes every vector', () => {
    expect(() => verifyVectors(vectors)).not.toThrow();
  });

  test.each<[string, (spoilt: Vectors) => void]>([
    ['a payload', (spoilt) => (spoilt.snapshot.envelope.payload = btoa('{}'))],
    ['a code hash', (spoilt) => (spoilt.enrollment.code_hash = '0'.repeat(64))],
    ['a device to replace', (spoilt) => (spoilt.replacement.request.replaces = '')],
    ['a metric', (spoilt) => ((spoilt.metrics[0] as { metrics: object }).metrics = {})],
    ['a receipt', (spoilt) => (spoilt.receipt.log_index += 1)],
    ['a salt', (spoilt) => (spoilt.receipt.proof.salt = '0'.repeat(64))],
    ['a line of the log', (spoilt) => spoilt.log_file.splice(3, 1)],
    ['a fingerprint', (spoilt) => (spoilt.fingerprint.tool = 'codex')],
    ['a token', (spoilt) => (spoilt.device_token.path = '/')],
  ])('detects a change of %s', (_, spoil) => {
    const spoilt = structuredClone(vectors);
    spoil(spoilt);
    expect(() => verifyVectors(spoilt)).toThrow();
  });
});

describe('a board', () => {
  test('enrolls the device of the vectors and accepts its token and all snapshots', async () => {
    const ctx = await enrolled();
    const { method, path, token } = vectors.device_token;
    const request = { audience: vectors.base_url, method, path };
    const key = await readDeviceToken(ctx.store, token, request, ctx.now());
    const { snapshot, correction, stated_days } = vectors;
    const [first, second, third] = [snapshot, correction, stated_days].map(({ envelope }) => {
      return submitSnapshot(ctx, JSON.stringify(envelope));
    });

    expect(key.keyid).toBe(device.keyid);
    expect(await first).toMatchObject({ created: true, answer: { records: 2 } });
    expect(await second).toMatchObject({ created: true, answer: { records: 1 } });
    expect(await third).toMatchObject({ created: true, answer: { records: 2 } });
  });

  test('accepts the proof of a device that replaces another device of the account', async () => {
    const request = vectors.replacement.request as unknown as EnrollmentRequest;
    const without = { ...request, replaces: undefined };

    await expect(enrollDevice(theBoard(), request)).rejects.toMatchObject({
      code: 'device_not_replaceable',
    });
    await expect(enrollDevice(theBoard(), without)).rejects.toMatchObject({
      code: 'proof_invalid',
    });
  });

  test.each(vectors.invalid.map((vector) => [vector.name, vector] as const))(
    'rejects: %s',
    async (_, { body, code }) => {
      const ctx = await enrolled();
      await expect(submitSnapshot(ctx, body)).rejects.toMatchObject({ code });
    },
  );
});

describe('this code', () => {
  test('accepts the receipt and rejects a changed one', async () => {
    const { receipt, snapshot, keys } = vectors;
    const publicKey = fromBase64Url(keys.board.public_key) as Uint8Array;
    const tools = { verify: verifyEd25519, sha256 };
    const other = { ...receipt, ruleset: '2' };

    expect(await isReceiptSound(receipt, snapshot.envelope, publicKey, tools)).toBe(true);
    expect(await isReceiptSound(other, snapshot.envelope, publicKey, tools)).toBe(false);
  });

  test('accepts the log file', () => {
    const { findings, boards, check } = verify(vectors.log_file.map((text) => `${text}\n`));
    expect(findings).toEqual([]);
    expect(boards).toHaveLength(1);
    expect(check.entries?.chain.counts()).toEqual({ erased: 1, lost: 0, withheld: 0 });
  });
});
