import { oneOf } from '#core/cli/arguments.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import {
  NEWEST_VERSION,
  RULESET_VERSIONS,
  type Ruleset,
  rulesetOf,
  versionOfRuleset,
} from '#core/domain/board/ruleset.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { figure } from '#core/domain/text/figure.ts';
import type { Store } from '#db/store.ts';
import {
  type MoveReason,
  type RulesetMove,
  type RulesetPreview,
  previewRuleset,
} from '#server/board/ruleset-preview.ts';
import { activeRuleset, chooseVersion } from '#server/process/rulesets.ts';
import { COMMAND } from '#server/process/admin-actions.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { type Command, EXIT, LIMIT, action, tableOf } from '../command.ts';
import { type KeptBoard, withStore } from '../store.ts';

const VERSION = oneOf(RULESET_VERSIONS.map(String));
const SHOWN = 40;

const preview = action({
  help: `opbench-board ruleset preview: show who would move under other ranking rules

Usage: opbench-board ruleset preview [--to VERSION] [--metric METRIC]
         [--window WINDOW] [--limit N] [--json]

  --to VERSION     the version to compare with, ${RULESET_VERSIONS.join(' or ')}; default: ${NEWEST_VERSION}
  --metric METRIC  ${METRIC_NAMES.join(', ')}; default: ${DEFAULT_VIEW.metric}
  --window WINDOW  ${WINDOWS.join(', ')}; default: ${DEFAULT_VIEW.window}
  --limit N        show at most N operators; default: ${SHOWN}
  --json           print JSON, with all operators

Computes the current board of all tools twice, and changes nothing.

Example: opbench-board ruleset preview --window 90d
`,
  json: `opbench-board ruleset preview --json prints one object:

  before, after  the IDs of both versions
  metric, window, as_of
  ranked     {before, after}: how many operators are ranked
  unchanged  how many keep their rank and class
  moves      array of {codename, before, after, why, missing}; before and after
             are {rank, class_tier, conservative, interval}; why is rank_new,
             rank_gone, wider, narrower or others; missing is what the
             operator needs for a rank
`,
  options: { to: VERSION, metric: oneOf(METRIC_NAMES), window: oneOf(WINDOWS), limit: LIMIT },
  run({ values }, output, settings) {
    const { metric = DEFAULT_VIEW.metric, window = DEFAULT_VIEW.window } = values;
    withStore(settings, (store, board) => {
      const rulesets = rulesetsOf(store, board, values.to);
      const [before, after] = rulesets;
      const view = { metric, window, nowMs: board.now.getTime() };
      const result = previewRuleset(store, rulesets, view);
      output.result(
        { before: before.id, after: after.id, metric, window, ...result },
        previewText(result, values.limit ?? SHOWN),
      );
      output.note(
        before.id === after.id
          ? `The board already ranks by version ${after.id}.`
          : `To rank by version ${after.id}: opbench-board ruleset switch --to ${versionOfRuleset(after.id)}`,
      );
    });
    return EXIT.ok;
  },
});

const change = action({
  help: `opbench-board ruleset switch: rank by another version of the rules

Usage: opbench-board ruleset switch [--to VERSION] [--json]

  --to VERSION  ${RULESET_VERSIONS.join(' or ')}; default: ${NEWEST_VERSION}
  --json        print JSON

The board ranks by it from its next start on. The rules then become an entry in
the public log, so that anyone can recompute the boards before and after.
Records stay listed under the rules under which they were set. Challenges keep
the rules with which they were created.

See "opbench-board ruleset preview" first. Challenges, classes and ranks before
and after are not comparable, so switch rarely.

Example: opbench-board ruleset switch
`,
  json: `opbench-board ruleset switch --json prints one object:

  before  the ID of the rules by which the board ranks now
  after   their ID from the next start on
`,
  options: { to: VERSION },
  run({ values: { to } }, output, settings) {
    withStore(settings, (store, board) => {
      const [before, after] = rulesetsOf(store, board, to);
      const choice = { now: board.now, by: COMMAND };
      store.transaction(() => chooseVersion(store, versionNamed(to), choice));
      output.result({ before: before.id, after: after.id });
      output.note(
        before.id === after.id
          ? `The board ranks by version ${after.id}, also after its next start.`
          : `The board ranks by version ${after.id} from its next start on. Restart it now.`,
      );
    });
    return EXIT.ok;
  },
});

function versionNamed(name: string | undefined) {
  return RULESET_VERSIONS.find((version) => String(version) === name) ?? NEWEST_VERSION;
}

/** The active ruleset, and the same numbers in another version. */
function rulesetsOf(
  store: Store,
  { eligibility }: KeptBoard,
  to: string | undefined,
): [Ruleset, Ruleset] {
  return [activeRuleset(store, eligibility), rulesetOf(versionNamed(to), eligibility, sha256Hex)];
}

const WHY: Readonly<Record<Exclude<MoveReason, 'rank_gone'>, string>> = {
  rank_new: 'now has a rank',
  wider: 'its interval becomes wider, relative to others',
  narrower: 'its interval becomes narrower, relative to others',
  others: 'others pass it or fall behind it',
};

function previewText({ as_of, ranked, unchanged, moves }: RulesetPreview, limit: number): string {
  const head = `${as_of}: ${ranked.before} ranked before, ${ranked.after} after. ${unchanged} keep their rank and class, ${moves.length} do not.\n`;
  if (moves.length === 0) return head;
  const rows = moves.slice(0, limit).map(rowOf);
  const rest = moves.length - rows.length;
  const more = rest > 0 ? `${rest} more with a higher --limit.\n` : '';
  return `${head}\n${tableOf([HEAD, ...rows])}${more}`;
}

const HEAD = ['RANK', 'OPERATOR', 'CONSERVATIVE', '95% INTERVAL', 'CLASS', 'WHY'];

function rowOf({ codename, before, after, why, missing }: RulesetMove): string[] {
  const both = <Fact>(name: keyof typeof before, text: (fact: Fact) => string) => {
    const [old, next] = [text(before[name] as Fact), text(after[name] as Fact)];
    return old === next ? old : `${old}, then ${next}`;
  };
  return [
    both('rank', numberText),
    codename,
    both('conservative', numberText),
    both('interval', intervalText),
    both('class_tier', String),
    why === 'rank_gone' ? missing.map(({ detail }) => detail).join('; ') : WHY[why],
  ];
}

function numberText(value: number | null): string {
  return value === null ? 'none' : figure(value);
}

function intervalText(interval: Interval | null): string {
  if (!interval) return 'none';
  const [low, high] = interval;
  return high === null ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`;
}

export const ruleset: Command = {
  help: `opbench-board ruleset: choose the version of the ranking rules

Usage: opbench-board ruleset preview [--to VERSION] [--metric METRIC]
         [--window WINDOW] [--limit N] [--json]
       opbench-board ruleset switch [--to VERSION] [--json]

  preview  show who would move, and why
  switch   rank by another version from the next start on

Version 1 ranks by the lower bound of an interval that compares days. Version 2
compares weeks, which holds more often where days resemble each other, and small
extra days cannot move it. New boards begin with version ${NEWEST_VERSION}. Other boards keep
theirs until you switch. Every board explains its rules at /methodology.

Example: opbench-board ruleset preview
`,
  json: `"opbench-board ruleset preview --json" prints {"before", "after", "metric",
"window", "as_of", "ranked", "unchanged", "moves"}; see "opbench-board ruleset
preview --help --json". "switch" prints {"before", "after"}.
`,
  actions: { preview, switch: change },
};
