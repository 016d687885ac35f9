/** Runs the plausibility checks on all operators with changes, before they are ranked. */
import { isDeepStrictEqual } from 'node:util';
import { type Field, fieldOf, type UsualDay, usualDays } from '#core/domain/checks/day-outlier.ts';
import type { ChangedOperator } from '#db/checks.ts';
import type { Store } from '#db/store.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { Writer } from '../writer.ts';
import { type AccountFindings, findingsAbout, type Recheck } from './account-findings.ts';
import { type CheckedAccount, readAccount, vectorsOf } from './checked-account.ts';
import { holdSubmissions } from './hold-submissions.ts';

/** Operators whose numbers are read before any of them is checked. */
const BATCH = 20;
/** How often an account is checked again because one submission was put on hold and another counts again. */
const MAX_ROUNDS = 10;

export interface ChecksRun {
  /** Whether all operators with changes were checked. */
  isDone: boolean;
  /** How many were not, as far as this run knows. */
  waiting: number;
  /** Errors, without personal data. The operators concerned are not held. */
  failures: string[];
}

/** Runs the checks and keeps the field of usual days between runs. Lives in the projecting thread. */
export class Checks {
  readonly #store: Store;
  readonly #usual = new Map<number, readonly UsualDay[]>();
  #isRead = false;
  /** The log entry up to which all operators were checked. */
  #after = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Checks waiting operators until `budgetMs` is over. The rest waits for the next run.
   *
   * @param most If more operators wait, checks none and leaves them to a run with more time.
   */
  run(now: Date, budgetMs: number, most = Number.POSITIVE_INFINITY): ChecksRun {
    try {
      return this.#run(now, budgetMs, most);
    } catch (error) {
      // Discards cached state that was not stored.
      this.forget();
      throw error;
    }
  }

  #run(now: Date, budgetMs: number, most: number): ChecksRun {
    const endMs = performance.now() + budgetMs;
    const failures: string[] = [];
    const writer = new Writer(this.#store);
    this.#readField();
    const changed = this.#store.checks.changed(this.#after);
    if (changed.length > most) return { isDone: false, waiting: changed.length, failures };
    const isMeasured = this.#measure(changed, writer, endMs);
    const field = fieldOf([...this.#usual.values()].flat());
    let at = 0;
    while (isMeasured && at < changed.length && performance.now() < endMs) {
      const batch = changed.slice(at, at + BATCH);
      this.#checkBatch(batch, { field, now, writer, failures });
      at += batch.length;
    }
    writer.flush();
    const isDone = isMeasured && at >= changed.length;
    if (isDone) this.#after = changed.at(-1)?.log_index ?? this.#after;
    return { isDone, waiting: Math.max(0, changed.length - at), failures };
  }

  /** Discards the cached accounts after one was deleted. They are read again. */
  forget(): void {
    this.#usual.clear();
    this.#isRead = false;
  }

  #readField(): void {
    if (this.#isRead) return;
    const rows = Map.groupBy(this.#store.checks.usualDays(), ({ operator_id }) => operator_id);
    for (const [id, usual] of rows) this.#usual.set(id, usual);
    this.#isRead = true;
  }

  /** Adds the usual days of operators who were never checked, so that the first are compared with the last. */
  #measure(changed: readonly ChangedOperator[], writer: Writer, endMs: number): boolean {
    for (const { id, checked } of changed) {
      if (checked !== null || this.#usual.has(id)) continue;
      if (performance.now() >= endMs) return false;
      this.#remember(readAccount(this.#store, id, { after: 0 }), writer);
    }
    writer.flush();
    return true;
  }

  #remember({ operator_id, days }: CheckedAccount, writer: Writer): void {
    const usual = usualDays(days);
    if (isDeepStrictEqual(usual, this.#usual.get(operator_id))) return;
    this.#usual.set(operator_id, usual);
    const { checks } = this.#store;
    writer.add(() => checks.forgetUsual(operator_id));
    for (const row of usual) writer.add(() => checks.addUsual({ operator_id, ...row }));
  }

  #checkBatch(batch: readonly ChangedOperator[], round: Round): void {
    const { writer } = round;
    const accounts = new Map<number, CheckedAccount>();
    for (const { id, checked } of batch) {
      const account = readAccount(this.#store, id, { after: checked ?? 0 });
      accounts.set(id, account);
      for (const row of vectorsOf(account)) {
        writer.add(() => this.#store.checks.putVector({ operator_id: id, ...row }));
      }
    }
    // Also writes the conclusions of the batch before.
    writer.flush();
    for (const { id, checked } of batch) {
      const copies = this.#check(id, { after: checked ?? 0 }, round, accounts.get(id));
      for (const { operator_id, days } of copies) {
        this.#check(operator_id, { after: Number.MAX_SAFE_INTEGER, days }, round);
        // Submissions of it may be held now.
        accounts.delete(operator_id);
      }
    }
  }

  /**
   * Checks an account, and again as long as submissions of it are held. Returns accounts that copied it and submitted
   * before this was known.
   *
   * @param known What `first` reads, if it was read already.
   */
  #check(
    operator_id: number,
    first: Recheck,
    round: Round,
    known?: CheckedAccount,
  ): AccountFindings['copies'] {
    const { field, now, writer, failures } = round;
    let recheck = first;
    let read = known;
    try {
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
        const account = read ?? readAccount(this.#store, operator_id, recheck);
        read = undefined;
        const found = findingsAbout(this.#store, account, field);
        const held = holdSubmissions(this.#store, found, now);
        if (held.size === 0) {
          this.#conclude(account, found, round);
          return found.copies;
        }
        recheck = { ...recheck, days: new Set([...(recheck.days ?? []), ...held]) };
      }
      failures.push(`One account was checked more than ${MAX_ROUNDS} times`);
    } catch (error) {
      // The account did not cause this. It is checked when the storage works again.
      if (storageFaultOf(error) !== null) throw error;
      failures.push(failureText(error));
    }
    // Otherwise every run would fail again at the same account.
    const { log_index } = this.#store.operators.byId(operator_id) ?? { log_index: 0 };
    writer.add(() => this.#store.checks.setChecked(operator_id, log_index));
    return [];
  }

  #conclude(account: CheckedAccount, { notes }: AccountFindings, { now, writer }: Round): void {
    const { checks } = this.#store;
    const found_at = now.toISOString();
    for (const row of notes) writer.add(() => checks.add({ ...row, found_at }));
    this.#remember(account, writer);
    writer.add(() => checks.setChecked(account.operator_id, account.log_index));
  }
}

interface Round {
  field: Field;
  now: Date;
  writer: Writer;
  failures: string[];
}

/** The part of an error that may be logged. Its message may contain personal data. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name}: ${String(error.code)}` : error.name;
}

/** How long a request waits for checks between publications, in milliseconds. */
const CATCH_UP_MS = 100;

/** A publication does not wait if more operators must be checked, because the checks would not finish in time. */
const MOST_BEFORE = 1_000;

/**
 * Runs checks before each publication, and between publications until all operators are checked. Lives in the
 * projecting thread.
 */
export class CheckTurns {
  readonly #checks: Pick<Checks, 'run'>;
  #now = new Date(0);
  #isDone = true;
  #waiting = 0;
  #later: NodeJS.Timeout | undefined;
  /** Errors that were not reported yet. */
  #untold: string[] = [];

  constructor(checks: Pick<Checks, 'run'>) {
    this.#checks = checks;
  }

  /** How many operators must be checked, as far as the last run knows. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether nothing is left to check or to report. */
  get isSettled(): boolean {
    return this.#isDone && this.#untold.length === 0;
  }

  /** Runs checks before a publication. Returns the errors since the previous publication. */
  run(now: Date, budgetMs: number): string[] {
    clearTimeout(this.#later);
    this.#now = now;
    this.#check(budgetMs, MOST_BEFORE);
    const failures = this.#untold;
    this.#untold = [];
    return failures;
  }

  /** Continues unfinished checks, yielding often, until the next publication. */
  goOn(): void {
    if (this.#isDone) return;
    this.#later = setTimeout(() => {
      this.#check(CATCH_UP_MS);
      this.goOn();
    }, 0);
  }

  #check(budgetMs: number, most?: number): void {
    const { isDone, waiting, failures } = this.#tryToCheck(budgetMs, most);
    this.#isDone = isDone;
    this.#waiting = waiting;
    this.#untold.push(...failures);
  }

  /** Never throws, so that the board is published even if checks fail. They continue with the next publication. */
  #tryToCheck(budgetMs: number, most?: number): ChecksRun {
    try {
      return this.#checks.run(this.#now, budgetMs, most);
    } catch (error) {
      return { isDone: true, waiting: 0, failures: [failureText(error)] };
    }
  }
}
