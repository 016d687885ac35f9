/** The active ranking rules, and the version that an admin chose for the next start. */
import {
  NEWEST_VERSION,
  type Ruleset,
  type RulesetNumbers,
  RULESET_VERSIONS,
  type RulesetVersion,
  rulesetOf,
  versionOfRuleset,
} from '#core/domain/board/ruleset.ts';
import { RulesetPayload } from '#core/schema/log-payload.ts';
import type { Store } from '#db/store.ts';
import { type Actor, audit } from './admin-actions.ts';
import { sha256Hex } from './crypto.ts';

/**
 * The ruleset that the server entered in the log, even if this process has other settings; on a new board, the one of
 * its first start.
 */
export function activeRuleset(store: Store, numbers: RulesetNumbers): Ruleset {
  return loggedRuleset(store) ?? rulesetOf(nextVersion(store), numbers, sha256Hex);
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
  if (textOfNewest(store) === JSON.stringify(ruleset)) return;
  store.log.append({ kind: 'ruleset', operator_id: null, payload: ruleset, now });
}

/** The newest ruleset in the log; null on a new board. */
export function loggedRuleset(store: Store): Ruleset | null {
  const text = textOfNewest(store);
  return text === null ? null : RulesetPayload.parse(JSON.parse(text));
}

function textOfNewest(store: Store): string | null {
  const payload = store.log.lastOfKind('ruleset')?.payload;
  return payload ? new TextDecoder().decode(payload) : null;
}

/** The name of the board setting with the version that an admin chose. */
const CHOICE = 'ruleset';

/**
 * The version that an admin chose; else that of the newest ruleset in the log, so that an upgrade does not change ranks;
 * on a new board, the newest.
 */
function nextVersion(store: Store): RulesetVersion {
  const chosen = store.boardSettings.all().find(({ name }) => name === CHOICE)?.value;
  const active = loggedRuleset(store);
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
