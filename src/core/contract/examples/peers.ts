/** Examples of whom an operator can be compared with, and of what own days say: computed as the board does. */
import { classTierOf } from '#core/domain/metrics/class-tier.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { improvementsOf } from '#core/domain/peers/improve.ts';
import { significant } from '#core/domain/metrics/metrics.ts';
import { type PeerCandidate, fieldOfCandidates } from '#core/domain/peers/peer-field.ts';
import { findPeers } from '#core/domain/peers/peers.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { exampleOf } from './example.ts';
import { BUCKET, HEAD, MONTH, entryOf } from './parts.ts';
import { getImprovements } from '../improvements.ts';
import { type Peers, getOperatorPeers, getPeers } from '../peers.ts';

/** Those whom the example's board ranks, in the order of codenames. */
const CANDIDATES = [
  candidateOf('ada', 2, MONTH),
  candidateOf('grace', 1, { ...MONTH, input: 310_442 }),
  candidateOf('joan', 3, { ...MONTH, input: 1_308_115, output: 11_104_870 }),
];

const { class_tier } = entryOf(1, 'ada', MONTH);
const peers: Peers = {
  ...HEAD,
  window: '90d',
  codename: 'ada',
  class_tier,
  reasons: [],
  ...findPeers(fieldOfCandidates(CANDIDATES), 0, 1),
};

const TO = dayNumber(HEAD.as_of);
const { tool, provider, model } = BUCKET;
const diagnosis = improvementsOf({
  usage: Array.from({ length: 24 }, (_, index) => ({
    ...BUCKET,
    // Each third day is begun anew, with four times the fresh input.
    input: index % 3 === 0 ? 4 * BUCKET.input : BUCKET.input + 100 * index,
    day: TO - 23 + index,
    source: { tool, provider, model, trust: 'signed' },
  })),
  first: TO - 89,
  last: TO,
  activeDayTokens: RULESET.active_day_tokens,
  nextClass: {
    class_tier: 'delta',
    medians: [{ tool, leverage: 2211.4, velocity: null }],
  },
});

export const PEER_EXAMPLES = [
  exampleOf(getOperatorPeers, {
    params: { codename: 'ada' },
    query: { limit: '1' },
    reply: peers,
  }),
  exampleOf(getPeers, { query: { limit: '1' }, reply: peers }),
  exampleOf(getImprovements, {
    query: { limit: '1' },
    reply: {
      as_of: HEAD.as_of,
      log_index: HEAD.log_index,
      class_tier,
      ...diagnosis,
      entries: diagnosis.entries.slice(0, 1),
    },
  }),
];

function candidateOf(codename: string, rank: number, counts: Pillars): PeerCandidate {
  const { interval, metrics, tools } = entryOf(rank, codename, counts);
  const lowOf = (value: number | null) => significant((value ?? 0) / 1.1);
  return {
    codename,
    display_name: null,
    class_tier: classTierOf(interval?.[0] ?? null),
    isOpen: true,
    rank,
    counts,
    conservative: { leverage: lowOf(metrics.leverage), velocity: lowOf(metrics.velocity) },
    tools,
  };
}
