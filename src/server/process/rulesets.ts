/** The ranking rules of a board: those that were active, and the version that an admin chose. */
import {
  NEWEST_VERSION,
  type Ruleset,
  type RulesetNumbers,
  RULESET_VERSIONS,
  type RulesetVersion,
  rulesetOf,
  versionOfRuleset,
} from '#core/domain/board/ruleset.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { RulesetPayload } from '#core/schema/log-payload.ts';
import type { Store } from '#db/store.ts';
import type { AppContext } from '../context.ts';
import { type Actor, audit } from './admin-actions.ts';
import { sha256Hex } from './crypto.ts';

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
export function rulesetOn(ctx: Pick<AppContext, 'store'>, day: number): Ruleset {
  const rulesets = readRulesets(ctx);
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

/**
 * The ruleset that the server entered in the log, even if this process has other settings; on a new board, the one of
 * its first start.
 */
export function activeRuleset(store: Store, numbers: RulesetNumbers): Ruleset {
  return (
    readRulesets({ store }).at(-1)?.ruleset ?? rulesetOf(nextVersion(store), numbers, sha256Hex)
  );
}

/** The ruleset of this start, which becomes an entry of the log. */
export function openRuleset(store: Store, numbers: RulesetNumbers, now: Date): Ruleset {
  return store.transaction(() => {
    const ruleset = rulesetOf(nextVersion(store), numbers, sha256Hex);
    enterRuleset(store, ruleset, now);
    return ruleset;
  });
}

/** Enters the ruleset in the log, unless the newest ruleset entry is equal. Call it inside a transaction. */
export function enterRuleset(store: Store, ruleset: Ruleset, now: Date): void {
  const text = JSON.stringify(ruleset);
  const last = store.log.lastOfKind('ruleset')?.payload;
  if (last && new TextDecoder().decode(last) === text) return;
  store.log.append({ kind: 'ruleset', operator_id: null, payload: ruleset, now });
}

/** The name of the board setting with the version that an admin chose. */
const CHOICE = 'ruleset';

/**
 * The version that an admin chose; else that of the newest ruleset in the log, so that an upgrade does not change ranks;
 * on a new board, the newest.
 */
function nextVersion(store: Store): RulesetVersion {
  const chosen = store.boardSettings.all().find(({ name }) => name === CHOICE)?.value;
  const active = readRulesets({ store }).at(-1)?.ruleset;
  const version = chosen === undefined ? active && versionOfRuleset(active.id) : Number(chosen);
  return RULESET_VERSIONS.find((each) => each === version) ?? NEWEST_VERSION;
}

/** Chooses a version for the next start. Call it inside a transaction. */
export function chooseVersion(
  store: Store,
  version: RulesetVersion,
  { now, by }: { now: Date; by: Actor },
): void {
  store.boardSettings.set({ name: CHOICE, value: String(version), set_at: now.toISOString() });
  audit(store, { action: 'setting', subject: CHOICE, operator_id: null, reason: null, now, by });
}
