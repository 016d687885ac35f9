/** What the checks find about an account, by submission. */
import type { CheckRow } from '#db/checks.ts';
import type { CheckId } from '#core/schema/moderation.ts';
import type { Store } from '#db/store.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import type { Field, HeldLevels } from '#core/domain/checks/day-outlier.ts';
import {
  type EqualDays,
  dayVector,
  equalDays,
  nearVectors,
} from '#core/domain/checks/equal-days.ts';
import { type CheckFinding, afterRelease } from '#core/domain/checks/finding.ts';
import { findingsOf } from '#core/domain/checks/plausibility.ts';
import {
  type AccountDay,
  type CheckedAccount,
  type NewDays,
  comparedDay,
  knownDays,
  readAccount,
} from './checked-account.ts';

export type Recheck = NewDays;

/** A finding about a submission, as it is stored. */
export type NewCheck = Omit<CheckRow, 'found_at'>;

export interface AccountFindings {
  operator_id: number;
  /** Findings that do not hold a submission. */
  notes: NewCheck[];
  holds: ReadonlyMap<number, NewCheck[]>;
  /** Accounts that submitted the same numbers after this one, and the days concerned. */
  copies: { operator_id: number; days: ReadonlySet<string> }[];
}

/** The most accounts compared in full, those with most equal days first. */
const MAX_COMPARED = 20;

export function findingsAbout(
  store: Store,
  account: CheckedAccount,
  field: Field,
): AccountFindings {
  const { operator_id } = account;
  if (!account.days.some(({ isNew }) => isNew)) {
    return { operator_id, notes: [], holds: new Map(), copies: [] };
  }
  const released = releasedOf(store, operator_id);
  const single = findingsOf(account.days, field, heldLevels(store, operator_id)).flatMap(
    (found) => {
      const finding = afterRelease(found, released.amounts(found));
      return checksOf(account, finding, { entriesOf: lastEntries(account, finding) });
    },
  );
  const { own, copies } = equalAccounts(store, account, released.against);
  const checks = gravest([...single, ...own]);
  const holds = checks.filter(({ verdict }) => verdict === 'hold');
  return {
    operator_id,
    notes: checks.filter(({ verdict }) => verdict === 'note'),
    holds: Map.groupBy(holds, ({ submission }) => submission),
    copies,
  };
}

/** The submissions that a finding is about: for a day with additions, those that made them. */
function lastEntries({ days }: CheckedAccount, finding: CheckFinding) {
  const { tool } = finding;
  const about = days.filter((day) => {
    return Object.hasOwn(finding.days, day.day) && (tool === '' || tool === day.tool);
  });
  const concerned = new Set(about);
  const grown = new Set(about.filter(({ isNew }) => isNew).map(({ day }) => day));
  return (day: AccountDay): readonly number[] => {
    if (!concerned.has(day)) return [];
    return grown.has(day.day) ? day.fresh : day.entries;
  };
}

interface Concerned {
  /** The submissions, among those that state a day of a tool, that a finding is about. */
  entriesOf: (day: AccountDay) => readonly number[];
  against?: number | null;
}

/** Stores a finding with each submission that states some of its days. */
function checksOf(
  { operator_id, days }: CheckedAccount,
  finding: CheckFinding,
  { entriesOf, against = null }: Concerned,
): NewCheck[] {
  const { check, ...rest } = finding;
  const bySubmission = new Map<number, Record<string, number>>();
  for (const day of days) {
    for (const entry of entriesOf(day)) {
      const own = bySubmission.get(entry) ?? {};
      own[day.day] = finding.days[day.day] ?? 0;
      bySubmission.set(entry, own);
    }
  }
  return [...bySubmission].map(([submission, own]) => {
    const stored = { ...rest, check_id: check, days: JSON.stringify(own) };
    return { submission, operator_id, against, ...stored };
  });
}

/** Keeps one check of each kind and tool for each submission, preferring one that holds it. */
function gravest(checks: readonly NewCheck[]): NewCheck[] {
  const kept = new Map<string, NewCheck>();
  for (const check of checks) {
    const name = `${check.submission}\n${check.check_id}\n${check.tool}`;
    if (kept.get(name)?.verdict !== 'hold') kept.set(name, check);
  }
  return [...kept.values()];
}

/** What an admin released: amounts by day, and accounts whose equal numbers are accepted. */
function releasedOf(store: Store, operator_id: number) {
  const rows = store.checks.released(operator_id);
  return {
    against: new Set(rows.flatMap(({ against }) => against ?? [])),
    amounts({ check, tool, days }: CheckFinding): Amounts {
      const amounts: Record<string, number> = {};
      for (const row of rows) {
        if (row.check_id !== check || row.tool !== tool) continue;
        addAmounts(amounts, row);
      }
      return LASTING.includes(check) ? levelOn(days, amounts) : amounts;
    },
  };
}

/** What an admin accepts by releasing one of these applies to every day. */
const LASTING: readonly CheckId[] = ['day_outlier', 'repeated_days', 'round_series'];

/** The largest released amount, for each of the days. */
function levelOn(days: Amounts, released: Amounts): Amounts {
  const level = Math.max(0, ...Object.values(released));
  return Object.fromEntries(Object.keys(days).map((day) => [day, level]));
}

/** The account's held days that count towards its usual level, although they count for nothing else. */
function heldLevels(store: Store, operator_id: number): HeldLevels {
  const byTool = new Map<string, Record<string, number>>();
  for (const row of store.checks.heldLevels(operator_id)) {
    const amounts = byTool.get(row.tool) ?? {};
    addAmounts(amounts, row);
    byTool.set(row.tool, amounts);
  }
  return (tool) => byTool.get(tool) ?? {};
}

type Amounts = Readonly<Record<string, number>>;

/** Adds a stored finding's amounts by day, keeping the larger of two for the same day. */
function addAmounts(amounts: Record<string, number>, row: Pick<CheckRow, 'days'>): void {
  for (const [day, amount] of Object.entries(JSON.parse(row.days) as Amounts)) {
    amounts[day] = Math.max(amount, amounts[day] ?? 0);
  }
}

/** The accounts that have the same new numbers, except those that an admin accepted. */
function equalAccounts(store: Store, account: CheckedAccount, released: ReadonlySet<number>) {
  const own: NewCheck[] = [];
  const copies: AccountFindings['copies'] = [];
  const others = candidates(store, account).filter((other) => !released.has(other));
  // Most accounts have no candidate, so nothing more is read about them.
  if (others.length === 0) return { own, copies };
  const days = knownDays(store, account);
  const heldBefore = store.checks.heldAgainst(account.operator_id);
  for (const other of others) {
    const theirs = knownDays(store, readAccount(store, other, { after: Number.MAX_SAFE_INTEGER }));
    const equal = equalDays(days, theirs, heldBefore.has(other) ? 1 : undefined);
    if (equal?.isFirstLater) own.push(...ownCopies(account, equal, other));
    else if (equal)
      copies.push({ operator_id: other, days: new Set(equal.copies.map(({ day }) => day)) });
  }
  return { own, copies };
}

function candidates(store: Store, { operator_id, days }: CheckedAccount): number[] {
  const vectors = days
    .filter(({ isNew }) => isNew)
    .map(comparedDay)
    .filter((day) => dayVector(day) !== null)
    .flatMap(nearVectors);
  return store.checks.withVectors({ operator_id, vectors, limit: MAX_COMPARED });
}

/** Holds every submission that states the copied days, whether it is new or not. */
function ownCopies(account: CheckedAccount, equal: EqualDays, against: number): NewCheck[] {
  const copied = new Set(equal.copies.map(dayAndTool));
  const entriesOf = (day: AccountDay) => (copied.has(dayAndTool(day)) ? day.entries : []);
  return checksOf(account, equal.finding, { entriesOf, against });
}
