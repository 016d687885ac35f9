/** Operators to compare with, and why. */
import * as z from 'zod';
import { object } from './object.ts';
import { ClassTier } from './board.ts';
import { Codename, Label } from './scalars.ts';
import { SHOWN_TOOLS } from './shown.ts';

export const YieldPillar = z
  .enum(['cache_read', 'output', 'input'])
  .describe('A pillar that yield is made of.')
  .meta({ id: 'YieldPillar' });
export type YieldPillar = z.infer<typeof YieldPillar>;

export const PillarDeltas = z
  .strictObject({
    cache_read: z.number().describe("ln of the peer's share of cache reads over the caller's."),
    output: z.number().describe("ln of the peer's share of output over the caller's."),
    input: z.number().describe("-2 ln of the peer's share of fresh input over the caller's."),
    total: z.number().describe("ln of the peer's yield over the caller's."),
  })
  .describe(
    'Where a difference in yield comes from, by shares of all tokens in the buckets that report cache reads. To 13 decimals: the three add up to `total` within 1e-12. It is ln of the ratio of the two published yields within 1e-11, because those have 12 digits.',
  )
  .meta({ id: 'PillarDeltas' });
export type PillarDeltas = z.infer<typeof PillarDeltas>;

export const ZeroShare = object('ZeroShare', 'A share of 0, which has no logarithm.', {
  whose: z.enum(['caller', 'peer', 'both']).describe('Whose share is 0.'),
  pillar: YieldPillar,
});
export type ZeroShare = z.infer<typeof ZeroShare>;

const detail = z.string().nullable().describe('Why it is empty, in words; null unless it is.');

const peer = {
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  class_tier: ClassTier,
  rank: z.int().min(1).describe('By yield in 90 days, over all tools.'),
  yield: z.number().describe('In 90 days, to 12 significant digits.'),
  tools: z
    .array(Label)
    .max(SHOWN_TOOLS)
    .describe(`Used in 90 days, most tokens first; ${SHOWN_TOOLS} at most.`),
  deltas: PillarDeltas.nullable().describe('Null where a share is 0.'),
  zero_share: ZeroShare.nullable().describe('Why there are no deltas; null where there are.'),
};

export const Mentor = z
  .strictObject({
    ...peer,
    because: z.literal('classes_above').describe('One or two classes above the caller.'),
    classes_above: z.int().min(1).max(2).describe('How many.'),
    same_main_tool: z
      .boolean()
      .describe('Whether the tool with most tokens is the same; those come first.'),
    shared_tools: z
      .array(Label)
      .max(SHOWN_TOOLS)
      .describe(
        `The caller's tools that the peer uses too, ${SHOWN_TOOLS} at most; who shares one comes before others.`,
      ),
    distance: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'The absolute difference of ln(output / cache_read), nearest first; null, and last, where either read nothing from a cache.',
      ),
  })
  .describe(
    "An operator who works in a similar way, one or two classes above by conservative yield, the lower bound of the 95% interval. Its yield itself can be below the caller's.",
  )
  .meta({ id: 'Mentor' });
export type Mentor = z.infer<typeof Mentor>;

export const TierPeer = object('TierPeer', 'An operator of the same class.', {
  ...peer,
  because: z.literal('similar_shape').describe('Of the same class, with similar shares.'),
  distance: z
    .number()
    .min(0)
    .describe(
      'The Aitchison distance of (input, output, cache_read), half a token added to each; nearest first.',
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
      .describe('The lower end of the interval of that metric, highest first.'),
  })
  .describe("An operator whose strength is the caller's weakness.")
  .meta({ id: 'Complement' });
export type Complement = z.infer<typeof Complement>;

export const MetricPlace = object('MetricPlace', 'Where the caller stands by one metric.', {
  conservative: z.number().min(0).describe("The lower end of the caller's interval."),
  rank: z.int().min(1).describe('By this metric, in 90 days over all tools.'),
  total: z.int().min(1).describe('Ranked operators.'),
  percentile: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of ranked operators strictly below; null below 20 ranked.'),
});
export type MetricPlace = z.infer<typeof MetricPlace>;

export const Weakness = z
  .strictObject({
    metric: z
      .enum(['leverage', 'velocity'])
      .describe('The one in which a smaller share of operators is below; leverage if equal.'),
    leverage: MetricPlace,
    velocity: MetricPlace,
  })
  .describe("The weaker of the two facts that the caller's yield is made of.")
  .meta({ id: 'Weakness' });
export type Weakness = z.infer<typeof Weakness>;

export const Mentors = object('Mentors', 'One or two classes above.', {
  empty_because: z
    .enum(['not_ranked', 'highest_class', 'nobody_above'])
    .nullable()
    .describe('Null unless empty. `nobody_above`: nobody with a page, that is.'),
  detail,
  entries: z.array(Mentor).describe('The same tools first, then the nearest.'),
});

export const TierPeers = object('TierPeers', 'Of the same class.', {
  empty_because: z
    .enum(['not_ranked', 'nobody_in_class'])
    .nullable()
    .describe('Null unless empty. `nobody_in_class`: nobody else with a page, that is.'),
  detail,
  entries: z.array(TierPeer).describe('The nearest first.'),
});

export const Complements = z
  .strictObject({
    empty_because: z
      .enum(['not_ranked', 'velocity_not_ranked', 'nobody_stronger'])
      .nullable()
      .describe(
        'Null unless empty. `velocity_not_ranked`: nothing tells which of the two is weaker; `nobody_stronger`: nobody with a page, that is.',
      ),
    detail,
    weakness: Weakness.nullable().describe('Null while it is unknown.'),
    entries: z.array(Complement).describe('The strongest first.'),
  })
  .describe('Strong where the caller is weak, of whatever class.')
  .meta({ id: 'Complements' });

export const PeerGroups = z.strictObject({
  mentors: Mentors,
  same_tier: TierPeers,
  complementary: Complements,
});
export type PeerGroups = z.infer<typeof PeerGroups>;
