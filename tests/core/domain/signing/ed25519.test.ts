import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  generateKeyPair,
  isSoundPublicKey,
  signerOf,
  verifyStrict,
} from '#core/domain/signing/ed25519.ts';
import {
  isSoundPublicKey as isSoundForLogs,
  verifyEd25519 as verifyOfLogs,
} from '#agent/state/signatures.ts';
import { isSoundPublicKey as isSoundForBoards, verifyEd25519 } from '#server/process/crypto.ts';

/** RFC 8032, section 7.1: name, secret key, public key, message, signature. */
const VECTORS = [
  [
    'TEST 1',
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    'TEST 2',
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'TEST 3',
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'TEST SHA(abc)',
    '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
].map((vector) => vector.map((text, at) => (at === 0 ? text : Buffer.from(text, 'hex')))) as [
  string,
  Buffer,
  Buffer,
  Buffer,
  Buffer,
][];

/** The canonical encodings of the eight points of small order. */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];

/** Other spellings of points, with y of p or more, or with a sign where x is 0. */
const NON_CANONICAL = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/** A y that is not on the curve. */
const NOT_ON_CURVE = '0200000000000000000000000000000000000000000000000000000000000000';

const ORDER = Point.CURVE().n;
const TORSION = Point.fromHex(SMALL_ORDER[4] as string);
const MESSAGE = Buffer.from('message');

const toInteger = (bytes: Uint8Array) =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const toBytes = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
const challenge = (...parts: Uint8Array[]) =>
  toInteger(createHash('sha512').update(Buffer.concat(parts)).digest()) % ORDER;

/** The verdicts of device, board and `opbench verify`, which must agree. The last two see only valid keys. */
async function verdicts(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) {
  const isSound = isSoundPublicKey(publicKey);
  return [
    await verifyStrict(message, signature, publicKey),
    isSound && verifyEd25519(message, signature, publicKey),
    isSound && verifyOfLogs(message, signature, publicKey),
  ];
}

const ACCEPTED = [true, true, true];
const REFUSED = [false, false, false];

describe('signerOf()', () => {
  test.each(VECTORS)('creates the signature of RFC 8032, %s', async (...vector) => {
    const [, secretKey, , message, signature] = vector;

    expect(Buffer.from(await signerOf(secretKey)(message))).toEqual(signature);
  });
});

describe('verifyStrict() and both verifyEd25519()', () => {
  test.each(VECTORS)('accept RFC 8032, %s', async (...vector) => {
    const [, , publicKey, message, signature] = vector;

    expect(await verdicts(message, signature, publicKey)).toEqual(ACCEPTED);
  });

  test.each([...SMALL_ORDER, ...NON_CANONICAL])(
    'reject the public key %s with a signature that satisfies its equation',
    async (hex) => {
      const s = 7n;
      const signature = Buffer.concat([Point.BASE.multiply(s).toBytes(), toBytes(s)]);

      expect(await verdicts(MESSAGE, signature, Buffer.from(hex, 'hex'))).toEqual(REFUSED);
    },
  );

  test.each([...SMALL_ORDER, ...NON_CANONICAL, NOT_ON_CURVE])('reject R %s', async (hex) => {
    const { secretKey, publicKey } = await generateKeyPair();
    const signature = Buffer.from(await signerOf(secretKey)(MESSAGE));
    signature.set(Buffer.from(hex, 'hex'));

    expect(await verdicts(MESSAGE, signature, publicKey)).toEqual(REFUSED);
  });

  test.each(SMALL_ORDER)('reject R %s even if the equation holds', async (hex) => {
    const secret = 123_456_789n;
    const publicKey = Point.BASE.multiply(secret).toBytes();
    const r = Buffer.from(hex, 'hex');
    const s = (challenge(r, publicKey, MESSAGE) * secret) % ORDER;

    expect(await verdicts(MESSAGE, Buffer.concat([r, toBytes(s)]), publicKey)).toEqual(REFUSED);
  });

  test('reject a key with a torsion component, even if OpenSSL accepts its signature', async () => {
    const secret = 123_456_789n;
    const publicKey = Point.BASE.multiply(secret).add(TORSION).toBytes();
    const r = Point.BASE.multiply(42n).toBytes();
    const found = Array.from({ length: 200 }, (_, at) => Buffer.from(`message ${at}`)).find(
      (message) => challenge(r, publicKey, message) % 8n === 0n,
    );
    const message = found ?? MESSAGE;
    const s = (42n + challenge(r, publicKey, message) * secret) % ORDER;
    const signature = Buffer.concat([r, toBytes(s)]);

    expect(await verdicts(message, signature, publicKey)).toEqual(REFUSED);
  });

  test('reject an R with a torsion component', async () => {
    const secret = 123_456_789n;
    const publicKey = Point.BASE.multiply(secret).toBytes();
    const r = Point.BASE.multiply(42n).add(TORSION).toBytes();
    const s = (42n + challenge(r, publicKey, MESSAGE) * secret) % ORDER;

    expect(await verdicts(MESSAGE, Buffer.concat([r, toBytes(s)]), publicKey)).toEqual(REFUSED);
  });

  test('reject S + L, which would be a second signature of the same message', async () => {
    const { secretKey, publicKey } = await generateKeyPair();
    const signature = Buffer.from(await signerOf(secretKey)(MESSAGE));
    const more = toBytes(toInteger(signature.subarray(32)) + ORDER);

    expect(await verdicts(MESSAGE, signature, publicKey)).toEqual(ACCEPTED);
    expect(
      await verdicts(MESSAGE, Buffer.concat([signature.subarray(0, 32), more]), publicKey),
    ).toEqual(REFUSED);
  });

  test.each([0, 32, 63, 65, 128])('reject a signature of %d bytes', async (length) => {
    const { secretKey, publicKey } = await generateKeyPair();
    const signature = Buffer.concat([await signerOf(secretKey)(MESSAGE), Buffer.alloc(64)]);

    expect(await verdicts(MESSAGE, signature.subarray(0, length), publicKey)).toEqual(REFUSED);
  });

  test.each([0, 31, 33, 64])('reject a public key of %d bytes', async (length) => {
    expect(await verdicts(MESSAGE, Buffer.alloc(64), Buffer.alloc(length, 5))).toEqual(REFUSED);
  });

  test('reject each signature with one changed bit, and agree', async () => {
    const { secretKey, publicKey } = await generateKeyPair();
    const scene = fc.record({
      message: fc.uint8Array({ minLength: 1, maxLength: 80 }),
      part: fc.constantFrom('message', 'signature', 'publicKey'),
      bit: fc.nat(511),
    });

    await fc.assert(
      fc.asyncProperty(scene, async ({ message, part, bit }) => {
        const signature = await signerOf(secretKey)(message);
        const parts = { message, signature, publicKey };
        const changed = { ...parts, [part]: flipped(parts[part as keyof typeof parts], bit) };

        expect(await verdicts(message, signature, publicKey)).toEqual(ACCEPTED);
        expect(await verdicts(changed.message, changed.signature, changed.publicKey)).toEqual(
          REFUSED,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('agree on random bytes', async () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const scene = fc.record({ signature: bytes(64), publicKey: bytes(32) });

    await fc.assert(
      fc.asyncProperty(scene, async ({ signature, publicKey }) => {
        const [device, ...others] = await verdicts(MESSAGE, signature, publicKey);

        expect(others).toEqual([device, device]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('isSoundPublicKey()', () => {
  test('accepts a generated key', async () => {
    expect(isSoundPublicKey((await generateKeyPair()).publicKey)).toBe(true);
  });

  test.each([...SMALL_ORDER, ...NON_CANONICAL, NOT_ON_CURVE])('rejects %s', (hex) => {
    expect(isSoundPublicKey(Buffer.from(hex, 'hex'))).toBe(false);
  });
});

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const place = bit % (8 * bytes.length);
  return bytes.map((byte, at) => (at === place >> 3 ? byte ^ (1 << (place & 7)) : byte));
}

test('device, board and `opbench verify` accept the same keys, whatever their torsion component', () => {
  const base = Point.BASE.multiply(987_654_321n);
  const keys = Array.from({ length: 16 }, (_, turn) => {
    const start = turn < 8 ? base : base.negate();
    return Array.from({ length: turn % 8 }).reduce((sum: Point) => sum.add(TORSION), start);
  });
  const encodings = [...SMALL_ORDER, ...NON_CANONICAL, NOT_ON_CURVE].map((hex) => {
    return Buffer.from(hex, 'hex');
  });
  const all = [...keys.map((key) => key.toBytes()), ...encodings];

  for (const isSound of [isSoundPublicKey, isSoundForBoards, isSoundForLogs]) {
    const accepted = all.flatMap((key, at) => (isSound(key) ? [at] : []));
    expect(accepted).toEqual([0, 8]);
  }
});
