import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { entryHash, hex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import { type Envelope, RECEIPT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/process/crypto.ts';
import { NOW, aDevice, aPayload } from '#tests/support/board/builders.ts';

const TOOLS = { verify: verifyStrict, sha256 };
const SALT = new Uint8Array(32);

/** A valid receipt of a snapshot. `over` is signed too. */
async function aReceipt(over: object = {}) {
  const sent = await (await aDevice()).seal(aPayload());
  const digest = payloadDigest(SALT, Buffer.from(JSON.stringify(sent)), sha256);
  const previous = '0'.repeat(64);
  const head = { index: 7, kind: 'snapshot', previous, received_at: NOW } as const;
  const entry_hash = entryHash(head, digest, sha256);
  const fields = { log_index: 7, entry_hash, received_at: NOW, ruleset: 'r/1' };
  const board = await aDevice();
  const payload = Buffer.from(JSON.stringify({ ...fields, ...over }));
  const receipt = await board.seal(payload, RECEIPT_PAYLOAD_TYPE);
  const claimed = { ...fields, receipt, proof: { previous, salt: hex(SALT) } };
  return { claimed, sent, publicKey: board.publicKey };
}

function turned({ payloadType, payload, signatures }: Envelope): Envelope {
  return {
    signatures: signatures.map(({ keyid, sig }) => ({ sig, keyid })),
    payload,
    payloadType,
  };
}

describe('isReceiptSound()', () => {
  test('accepts any order of the submitted members', async () => {
    const { claimed, sent, publicKey } = await aReceipt();

    expect(await isReceiptSound(claimed, sent, publicKey, TOOLS)).toBe(true);
    expect(await isReceiptSound(claimed, turned(sent), publicKey, TOOLS)).toBe(true);
  });

  test('ignores unknown members, signed or not, and unknown signatures', async () => {
    const { claimed, sent, publicKey } = await aReceipt({ witness: ['w'] });
    const own = claimed.receipt.signatures.map((signature) => ({ ...signature, note: 1 }));
    const signatures = [{ keyid: 'new', sig: 'new' }, ...own];
    const receipt = { ...claimed.receipt, signatures, note: 1 };

    expect(await isReceiptSound({ ...claimed, receipt }, sent, publicKey, TOOLS)).toBe(true);
  });

  test.each([{ log_index: 8 }, { entry_hash: '' }, { received_at: '' }, { ruleset: 'r/2' }])(
    'is invalid if %j is signed instead',
    async (over) => {
      const { claimed, sent, publicKey } = await aReceipt(over);

      expect(await isReceiptSound(claimed, sent, publicKey, TOOLS)).toBe(false);
    },
  );

  test('rejects another envelope, another key, or an invalid receipt', async () => {
    const { claimed, sent, publicKey } = await aReceipt();
    const other = await aReceipt();
    const receipt = { ...claimed.receipt, payloadType: 'other' };

    expect(await isReceiptSound(claimed, other.sent, publicKey, TOOLS)).toBe(false);
    expect(await isReceiptSound(claimed, sent, other.publicKey, TOOLS)).toBe(false);
    expect(await isReceiptSound({ ...claimed, receipt }, sent, publicKey, TOOLS)).toBe(false);
  });
});
