import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import { type Peers, getPeers } from '#core/contract/peers.ts';
import { calledText, deltaTexts, factorsText, zeroShareText } from '../../src/satellite/words.ts';

const peers = EXAMPLES[getPeers.id]?.reply as Peers;

const deltasOf = (cache_read: number, output: number, input: number) => ({
  deltas: { cache_read, output, input, total: cache_read + output + input },
  zero_share: null,
});

describe('deltaTexts()', () => {
  test('are factors of three digits', () => {
    const texts = deltaTexts(deltasOf(Math.log(1.5), 0, Math.log(0.25)));
    expect(texts).toEqual(['×1.50', '×1.00', '×0.250']);
  });

  test('are powers of ten if very large or small', () => {
    const texts = deltaTexts(deltasOf(Math.log(2.5e9), Math.log(4e-7), Math.log(1234)));
    expect(texts).toEqual(['×2.50e9', '×4.00e-7', '×1,230']);
  });

  test('are dashes where a share is 0', () => {
    const zero_share = { whose: 'caller', pillar: 'cache_read' } as const;
    expect(deltaTexts({ deltas: null, zero_share })).toEqual(['–', '–', '–']);
  });
});

test('factorsText() has all factors on one line', () => {
  const text = factorsText(deltasOf(0, Math.log(2), Math.log(3)));
  expect(text.replaceAll('\u00a0', ' ')).toBe('reads ×1.00, output ×2.00, input ×3.00');
});

test.each([
  ['caller', 'cache_read', 'no factors: your share of cache reads is 0'],
  ['peer', 'output', 'no factors: their share of output is 0'],
  ['both', 'input', 'no factors: both shares of fresh input are 0'],
] as const)('zeroShareText() names the share: %s, %s', (whose, pillar, text) => {
  expect(zeroShareText({ deltas: null, zero_share: { whose, pillar } })).toBe(text);
  expect(zeroShareText(deltasOf(0, 0, 0))).toBeNull();
});

test('calledText() names the limit that an agent requested', () => {
  const at = new Date('2026-03-10T12:05:07.000Z');
  const answer = { kind: 'peers', peers } as const;
  const told = (limit: string | null) => calledText(answer, limit, at).replace(/^.* UTC /, '');

  expect(told(null)).toContain('received');
  expect(told('1')).toContain('up to 1 peers of each group');
  expect(calledText({ kind: 'signed-out' }, '1', at)).toContain('sign in');
});
