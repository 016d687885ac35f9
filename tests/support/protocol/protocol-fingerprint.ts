/** The protocol's test vector of a fingerprint: there are more responses than values, and one is logged twice. */
import { createHash, createHmac } from 'node:crypto';
import { fingerprintOf, formatFingerprint } from '#core/domain/counting/fingerprint.ts';

const TOOL = 'claude-code';
const RESPONSES = Array.from({ length: 18 }, (_, index) => `msg_${index % 17}:req_${index % 17}`);

export function fingerprintVector() {
  const key = createHash('sha256').update('the key of an account').digest();
  const responses = RESPONSES.map((response) => {
    const digest = createHash('sha256').update(`${TOOL}\n${response}`).digest();
    const name = digest.subarray(0, 8).toString('base64url');
    const mac = createHmac('sha256', key).update(`${TOOL}\n${name}`).digest();
    return { key: response, name, value: mac.readUInt32BE() };
  });
  const values = fingerprintOf(responses.map(({ value }) => value)) ?? [];
  return {
    fingerprint_key: key.toString('base64url'),
    tool: TOOL,
    responses,
    values,
    fingerprint: formatFingerprint(values),
  };
}
