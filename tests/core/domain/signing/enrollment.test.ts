import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EnrollmentClaim,
  checkEnrollment,
  formatCode,
  normalizeCode,
  proveEnrollment,
} from '#core/domain/signing/enrollment.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { ENROLLMENT_PAYLOAD_TYPE, ENROLLMENT_TYPE } from '#core/schema/device.ts';
import { sha256 } from '#server/process/crypto.ts';
import {
  BASE_URL,
  MINUTE_MS,
  NOW,
  NOW_MS,
  type TestDevice,
  aDevice,
} from '#tests/support/board/builders.ts';

const CODE_HASH = 'ab'.repeat(32);

function claimOf(device: TestDevice, over: Partial<EnrollmentClaim> = {}): EnrollmentClaim {
  const { public_key, installation_id } = device;
  const claim = { audience: BASE_URL, code_hash: CODE_HASH, public_key, installation_id };
  return { ...claim, issued_at: NOW, ...over };
}

function check(
  device: TestDevice,
  proof: unknown,
  over: Partial<EnrollmentClaim> = {},
  nowMs = NOW_MS,
) {
  const { audience, code_hash, public_key, installation_id } = claimOf(device, over);
  const request = { audience, code_hash, public_key, installation_id };
  return checkEnrollment(request, proof, {
    verify: verifyStrict,
    sha256,
    nowMs,
    maxSkewMs: 10 * MINUTE_MS,
  });
}

describe('formatCode()', () => {
  test('formats three groups of five characters of the alphabet', () => {
    expect(formatCode(Uint8Array.from({ length: 15 }, (_, at) => at))).toBe('01234-56789-ABCDE');
    expect(formatCode(Uint8Array.from({ length: 15 }, (_, at) => 240 + at))).toBe(
      'GHJKM-NPQRS-TVWXY',
    );
  });

  test('makes codes that normalize to themselves without dashes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 15, maxLength: 15 }), (random) => {
        const code = formatCode(random);

        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){2}$/);
        expect(normalizeCode(code)).toBe(code.replaceAll('-', ''));
      }),
    );
  });
});

describe('normalizeCode()', () => {
  test.each([
    ['01234-56789-ABCDE', '0123456789ABCDE'],
    ['0123456789ABCDE', '0123456789ABCDE'],
    ['01234-56789-abcde', '0123456789ABCDE'],
    [' 01234 56789 ABCDE\n', '0123456789ABCDE'],
    ['O1234-56789-ABCDE', '0123456789ABCDE'],
    ['o1234-56789-ABCDE', '0123456789ABCDE'],
    ['0I234-56789-ABCDE', '0123456789ABCDE'],
    ['0i234-56789-ABCDE', '0123456789ABCDE'],
    ['0L234-56789-ABCDE', '0123456789ABCDE'],
    ['0l234-56789-ABCDE', '0123456789ABCDE'],
  ])('reads %j as %s', (typed, code) => {
    expect(normalizeCode(typed)).toBe(code);
  });

  test.each([
    '',
    '-',
    '01234-56789-ABCD',
    '01234-56789-ABCDEF',
    'U1234-56789-ABCDE',
    '01234_56789_ABCDE',
    '０1234-56789-ABCDE',
  ])('returns null for %j', (typed) => {
    expect(normalizeCode(typed)).toBeNull();
  });
});

describe('checkEnrollment()', () => {
  test('returns the name and bytes of the proven key', async () => {
    const device = await aDevice();
    const proof = await proveEnrollment(claimOf(device), device);

    const { keyid, publicKey } = await check(device, proof);

    expect(keyid).toBe(device.keyid);
    expect(Buffer.from(publicKey).toString('base64url')).toBe(device.public_key);
  });

  test.each([
    { code_hash: 'cd'.repeat(32) },
    { public_key: 'A'.repeat(43) },
    { installation_id: '6f0f6a4e-0000-4000-8000-000000000000' },
  ])('throws proof_invalid if the proof contains %j', async (over) => {
    const device = await aDevice();
    const proof = await proveEnrollment(claimOf(device, over), device);

    await expect(check(device, proof)).rejects.toMatchObject({ code: 'proof_invalid' });
  });

  test('throws audience_mismatch, naming both addresses, if the proof was made for another', async () => {
    const device = await aDevice();
    const audience = 'http://localhost:4321';
    const proof = await proveEnrollment(claimOf(device, { audience }), device);

    await expect(check(device, proof)).rejects.toMatchObject({
      code: 'audience_mismatch',
      message: expect.stringMatching(new RegExp(`${BASE_URL}.*${audience}`)) as string,
    });
  });

  test('throws proof_invalid if another key signed, under either name', async () => {
    const [device, other] = [await aDevice(), await aDevice()];
    const named = await proveEnrollment(claimOf(device), other);
    const borrowed = await proveEnrollment(claimOf(device), { ...other, keyid: device.keyid });

    const renamed = await proveEnrollment(claimOf(device), { ...device, keyid: other.keyid });

    await expect(check(device, renamed)).rejects.toMatchObject({ code: 'proof_invalid' });
    await expect(check(device, named)).rejects.toMatchObject({ code: 'proof_invalid' });
    await expect(check(device, borrowed)).rejects.toMatchObject({ code: 'proof_invalid' });
  });

  test('throws proof_invalid if the statement changed after signing', async () => {
    const device = await aDevice();
    const proof = await proveEnrollment(claimOf(device), device);
    const other = await proveEnrollment(
      claimOf(device, { issued_at: '2026-03-10T12:00:01Z' }),
      device,
    );

    await expect(check(device, { ...proof, payload: other.payload })).rejects.toMatchObject({
      code: 'proof_invalid',
    });
  });

  test('throws envelope_invalid if a snapshot is offered as proof', async () => {
    const device = await aDevice();
    const proof = await device.seal({ type: ENROLLMENT_TYPE, ...claimOf(device) });

    await expect(check(device, proof)).rejects.toMatchObject({ code: 'envelope_invalid' });
  });

  test.each([
    ['another type', { type: 'opbench-snapshot/1' }],
    ['an extra member', { extra: 1 }],
    ['no instant', { issued_at: 'now' }],
  ])('throws validation_failed if the statement has %s', async (_, over) => {
    const device = await aDevice();
    const statement = { type: ENROLLMENT_TYPE, ...claimOf(device), ...over };
    const proof = await device.seal(statement, ENROLLMENT_PAYLOAD_TYPE);

    await expect(check(device, proof)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('throws malformed_json if the statement is not UTF-8', async () => {
    const device = await aDevice();
    const text = JSON.stringify({ type: ENROLLMENT_TYPE, ...claimOf(device, { audience: '~' }) });
    const bytes = Buffer.from(text.replace('~', '\u00FF'), 'latin1');
    const proof = await device.seal(bytes, ENROLLMENT_PAYLOAD_TYPE);

    await expect(check(device, proof, { audience: '\uFFFD' })).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });

  test('throws snapshot_stale one millisecond past ten minutes, in either direction', async () => {
    const device = await aDevice();
    const proof = await proveEnrollment(claimOf(device), device);
    const checkAt = (ageMs: number) => check(device, proof, {}, NOW_MS + ageMs);

    await expect(checkAt(10 * MINUTE_MS)).resolves.toMatchObject({ keyid: device.keyid });
    await expect(checkAt(-10 * MINUTE_MS)).resolves.toMatchObject({ keyid: device.keyid });
    await expect(checkAt(10 * MINUTE_MS + 1)).rejects.toMatchObject({ code: 'snapshot_stale' });
    await expect(checkAt(-10 * MINUTE_MS - 1)).rejects.toMatchObject({ code: 'snapshot_stale' });
  });

  test.each([
    ['small order', Buffer.alloc(32).toString('base64url')],
    ['31 bytes', Buffer.alloc(31, 1).toString('base64url')],
    ['33 bytes', Buffer.alloc(33, 1).toString('base64url')],
    ['a bit after the last byte', `${'A'.repeat(42)}B`],
  ])('throws public_key_invalid for a key of %s', async (_, public_key) => {
    const device = await aDevice();
    const proof = await proveEnrollment(claimOf(device, { public_key }), device);

    await expect(check(device, proof, { public_key })).rejects.toMatchObject({
      code: 'public_key_invalid',
    });
  });
});
