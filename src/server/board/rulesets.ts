/** The ranking rules that were ever active on this board. */
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { RulesetPayload } from '#core/schema/log-payload.ts';
import type { AppContext } from '../context.ts';

/** A ruleset, with the log entry that activated it. */
interface EnteredRuleset {
  log_index: number;
  /** When it became active, in UTC. */
  since: string;
  ruleset: Ruleset;
}

interface Read {
  upTo: number;
  rulesets: readonly EnteredRuleset[];
}

const known = new WeakMap<AppContext['store'], Read>();

/** Every ruleset that was ever active, the oldest first. A ruleset that returns is listed again. */
export function readRulesets({ store }: Pick<AppContext, 'store'>): readonly EnteredRuleset[] {
  const before = known.get(store) ?? { upTo: 0, rulesets: [] };
  const upTo = store.log.head()?.index ?? 0;
  if (upTo === before.upTo) return before.rulesets;
  const added = store.log.ofKind('ruleset', before.upTo).filter((row) => row.log_index <= upTo);
  const rulesets = [...before.rulesets, ...added.map(enteredRuleset)];
  known.set(store, { upTo, rulesets });
  return rulesets;
}

/** The last ruleset that was active on the day of a number; the first one for days before the board. */
export function rulesetOn(
  rulesets: readonly Pick<EnteredRuleset, 'ruleset' | 'since'>[],
  day: number,
): Ruleset {
  const name = dayName(day);
  const entered = rulesets.findLast(({ since }) => since.slice(0, 10) <= name) ?? rulesets[0];
  if (!entered) throw new Error('No ruleset was entered in the log');
  return entered.ruleset;
}

type Row = ReturnType<AppContext['store']['log']['ofKind']>[number];

function enteredRuleset({ log_index, received_at, payload }: Row): EnteredRuleset {
  if (payload === null) throw new Error(`Entry ${log_index}, a ruleset, has no payload`);
  const ruleset = RulesetPayload.parse(JSON.parse(new TextDecoder().decode(payload)));
  return { log_index, since: received_at, ruleset };
}
