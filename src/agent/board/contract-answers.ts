/**
 * Responses that are read by the contract's schemas. What boards before 0.9 do not send is added, and what newer ones
 * have added is left out.
 */
import * as z from 'zod';
import { Improvements } from '#core/contract/improvements.ts';
import { Peers } from '#core/contract/peers.ts';
import { unrankedReason } from '#core/domain/board/unranked-texts.ts';
import { SOMEBODY, nobody } from '#core/domain/peers/peers.ts';
import { emptyReason } from '#core/domain/peers/tool-diagnosis.ts';
import { UnrankedReason } from '#core/schema/board.ts';
import { NoImprovement } from '#core/schema/improvement.ts';
import { PeerGroups } from '#core/schema/peer.ts';

/** A response by the contract's schema, without members that a newer board has added. */
function known<Reply extends z.ZodType>(reply: Reply) {
  return z.unknown().transform((value, context): z.output<Reply> => {
    const parsed = reply.safeParse(withoutUnknown(reply, value));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'does not match the contract' });
    return z.NEVER;
  });
}

function withoutUnknown(reply: z.ZodType, value: unknown): unknown {
  const { error } = reply.safeParse(value);
  const copy: unknown = structuredClone(value);
  for (const issue of error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = issue.path.reduce<unknown>((at, key) => (at as Members)[key], copy) as Members;
    for (const key of issue.keys) Reflect.deleteProperty(holder, key);
  }
  return copy;
}

type Members = Record<PropertyKey, unknown>;

export const PeersAnswer = z.unknown().transform(worded).pipe(known(Peers));

const Amount = z.number().nullable();
const Because = PeerGroups.shape;
const EarlyPeers = z.looseObject({
  reasons: z.array(
    z.looseObject({ code: UnrankedReason.shape.code, required: Amount, actual: Amount }),
  ),
  mentors: z.looseObject({ empty_because: Because.mentors.shape.empty_because }),
  same_tier: z.looseObject({ empty_because: Because.same_tier.shape.empty_because }),
  complementary: z.looseObject({ empty_because: Because.complementary.shape.empty_because }),
});

type EarlyPeers = z.infer<typeof EarlyPeers>;
type EarlyGroup = EarlyPeers['mentors' | 'same_tier' | 'complementary'];

/** Adds the texts that boards before 0.9 do not send with their codes. */
function worded(value: unknown): unknown {
  const early = EarlyPeers.safeParse(value);
  if (!early.success) return value;
  const { reasons, mentors, same_tier, complementary } = early.data;
  const wordsOf = ({ empty_because: code }: EarlyGroup) => (code ? nobody(code) : SOMEBODY);
  return {
    ...early.data,
    reasons: reasons.map((reason) => ({ ...unrankedReason(reason, 'yield'), ...reason })),
    mentors: { ...wordsOf(mentors), ...mentors },
    same_tier: { ...wordsOf(same_tier), ...same_tier },
    complementary: { ...wordsOf(complementary), ...complementary },
  };
}

export const ImprovementsAnswer = z.unknown().transform(completed).pipe(known(Improvements));

/** Adds what boards before 0.9 do not send: findings by tool, and texts for codes. */
function completed(value: unknown): unknown {
  const early = z
    .looseObject({
      present: z.unknown(),
      empty_because: z
        .looseObject({ code: NoImprovement.shape.code, required: Amount, actual: Amount })
        .nullable(),
      entries: z.array(z.looseObject({ simulated: z.unknown(), gain: z.unknown() })),
    })
    .safeParse(value);
  if (!early.success || 'tools' in early.data) return value;
  const { present, empty_because, entries } = early.data;
  return {
    ...early.data,
    tools: [],
    empty_because: empty_because && emptyReason(empty_because),
    entries: entries.map(({ simulated, gain, ...entry }) => {
      return { ...entry, simulated, gain, in_tool: { present, simulated, gain } };
    }),
  };
}
