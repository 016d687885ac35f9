/** Operators who are similar to another one, and why. */
import * as z from 'zod';
import { object } from './object.ts';
import { ClassTier } from './board.ts';
import { Codename, Label } from './scalars.ts';
import { SHOWN_TOOLS } from './shown.ts';

export const YieldPillar = z
  .enum(['cache_read', 'output', 'input'])
  .describe('A token type that yield depends on.')
  .meta({ id: 'YieldPillar' });
export type YieldPillar = z.infer<typeof YieldPillar>;

export const PillarDeltas = z
  .strictObject({
    cache_read: z.number().describe("ln(peer's share of cache reads / caller's share)."),
    output: z.number().describe("ln(peer's share of output / caller's share)."),
    input: z.number().describe("-2 ln(peer's share of fresh input / caller's share)."),
    total: z.number().describe("ln(peer's yield / caller's yield)."),
  })
  .describe(
    'Explains the difference in yield by shares of all tokens in the daily counts that report cache reads. Rounded to 13 decimals: the three add up to `total` within 10⁻¹². `total` equals ln of the ratio of the published yields within 10⁻¹¹, because those have 12 digits.',
  )
  .meta({ id: 'PillarDeltas' });
export type PillarDeltas = z.infer<typeof PillarDeltas>;

export const ZeroShare = object('ZeroShare', 'A share of 0, which has no logarithm.', {
  whose: z.enum(['caller', 'peer', 'both']).describe('Whose share is 0.'),
  pillar: YieldPillar,
});
export type ZeroShare = z.infer<typeof ZeroShare>;

const detail = z
  .string()
  .nullable()
  .describe('Why the group is empty, as a sentence; null if it is not.');

const peer = {
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  class_tier: ClassTier,
  rank: z.int().min(1).describe('The rank by yield in 90 days, over all tools.'),
  yield: z.number().describe('In 90 days, to 12 significant digits.'),
  tools: z
    .array(Label)
    .max(SHOWN_TOOLS)
    .describe(`The tools used in 90 days, most tokens first; at most ${SHOWN_TOOLS}.`),
  deltas: PillarDeltas.nullable().describe('Null if a share is 0.'),
  zero_share: ZeroShare.nullable().describe('Why `deltas` is null; null if it is not.'),
};

export const Mentor = z
  .strictObject({
    ...peer,
    because: z.literal('classes_above').describe('One or two classes above the caller.'),
    classes_above: z.int().min(1).max(2).describe('The number of classes above the caller.'),
    same_main_tool: z
      .boolean()
      .describe('Whether both use the same tool most. These peers come first.'),
    shared_tools: z
      .array(Label)
      .max(SHOWN_TOOLS)
      .describe(
        `Tools that both use; at most ${SHOWN_TOOLS}. Peers with shared tools come before others.`,
      ),
    distance: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'The absolute difference of ln(output / cache_read); nearest first. Null and last if either has no cache reads.',
      ),
  })
  .describe(
    "An operator who works in a similar way, one or two classes above by conservative yield. The mentor's measured yield can be lower than the caller's.",
  )
  .meta({ id: 'Mentor' });
export type Mentor = z.infer<typeof Mentor>;

export const TierPeer = object('TierPeer', 'An operator of the same class.', {
  ...peer,
  because: z
    .literal('similar_shape')
    .describe('In the same class, with similar shares of token types.'),
  distance: z
    .number()
    .min(0)
    .describe(
      'The Aitchison distance of (input, output, cache_read), with half a token added to each; nearest first.',
    ),
});
export type TierPeer = z.infer<typeof TierPeer>;

export const Complement = z
  .strictObject({
    ...peer,
    because: z
      .literal('stronger_where_weak')
      .describe("Above the caller in the caller's weaker metric."),
    conservative: z
      .number()
      .min(0)
      .describe('The conservative value of that metric; highest first.'),
  })
  .describe("An operator who is strong in the caller's weaker metric.")
  .meta({ id: 'Complement' });
export type Complement = z.infer<typeof Complement>;

export const MetricPlace = object('MetricPlace', "The caller's rank by one metric.", {
  conservative: z.number().min(0).describe("The caller's conservative value."),
  rank: z.int().min(1).describe('By this metric, in 90 days over all tools.'),
  total: z.int().min(1).describe('Ranked operators.'),
  percentile: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'The share of ranked operators with a strictly lower value; null with fewer than 20 ranked operators.',
    ),
});
export type MetricPlace = z.infer<typeof MetricPlace>;

export const Weakness = z
  .strictObject({
    metric: z
      .enum(['leverage', 'velocity'])
      .describe('The metric with the lower percentile; leverage if equal.'),
    leverage: MetricPlace,
    velocity: MetricPlace,
  })
  .describe("The weaker of the two metrics that the caller's yield is the product of.")
  .meta({ id: 'Weakness' });
export type Weakness = z.infer<typeof Weakness>;

export const Mentors = object('Mentors', 'Operators one or two classes above.', {
  empty_because: z
    .enum(['not_ranked', 'highest_class', 'nobody_above'])
    .nullable()
    .describe('Null if not empty. `nobody_above`: nobody with a public page.'),
  detail,
  entries: z.array(Mentor).describe('Peers with the same tools first, then the nearest.'),
});

export const TierPeers = object('TierPeers', 'Operators of the same class.', {
  empty_because: z
    .enum(['not_ranked', 'nobody_in_class'])
    .nullable()
    .describe('Null if not empty. `nobody_in_class`: nobody else with a public page.'),
  detail,
  entries: z.array(TierPeer).describe('The nearest first.'),
});

export const Complements = z
  .strictObject({
    empty_because: z
      .enum(['not_ranked', 'velocity_not_ranked', 'nobody_stronger'])
      .nullable()
      .describe(
        'Null if not empty. `velocity_not_ranked`: the weaker metric is unknown because the caller has no rank by velocity. `nobody_stronger`: nobody with a public page.',
      ),
    detail,
    weakness: Weakness.nullable().describe('Null while unknown.'),
    entries: z.array(Complement).describe('The strongest first.'),
  })
  .describe("Operators of any class who are strong in the caller's weaker metric.")
  .meta({ id: 'Complements' });

export const PeerGroups = z.strictObject({
  mentors: Mentors,
  same_tier: TierPeers,
  complementary: Complements,
});
export type PeerGroups = z.infer<typeof PeerGroups>;
