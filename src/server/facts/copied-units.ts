/** The units that are loaded, and their rows. */
import { type Replica, openReplica } from '#db/replica-in.ts';
import type { CopiedTable } from '#db/replica-tables.ts';
import type { FactsContent } from './facts-object.ts';

/** A unit as it was read. Files have bytes in place of tables. */
export interface ReadUnit {
  unit: string;
  version: string;
  /** The size of its object. */
  size: number;
  content: FactsContent | Uint8Array;
}

type Options = Parameters<typeof openReplica>[0];
type Held = Pick<ReadUnit, 'size' | 'version'> & { file: Uint8Array | null };

export class CopiedUnits {
  /** All rows, but for those of ranks. */
  readonly replica: Replica;
  readonly #options: Options;
  /** The least recently read first. */
  readonly #held = new Map<string, Held>();
  /** Ranks have a database of their own, because other units contain the same rows. */
  #ranks: Replica | null = null;
  #days: CopiedTable | null = null;
  #size = 0;

  constructor(options: Options) {
    this.#options = options;
    this.replica = openReplica(options);
  }

  get ranks(): Replica {
    if (this.#ranks) return this.#ranks;
    this.#ranks = openReplica(this.#options);
    this.#copyDays(this.#ranks);
    return this.#ranks;
  }

  versionOf(unit: string): string | undefined {
    return this.#held.get(unit)?.version;
  }

  /** Notes that a unit was read. Returns false if it is not loaded. */
  touch(unit: string): boolean {
    const held = this.#held.get(unit);
    if (!held) return false;
    this.#held.delete(unit);
    this.#held.set(unit, held);
    return true;
  }

  file(unit: string): Uint8Array | null {
    return this.#held.get(unit)?.file ?? null;
  }

  /** Removes the units that are not wanted any more, and adds others, at once. */
  replace(isWanted: (unit: string, version: string) => boolean, added: readonly ReadUnit[]): void {
    const gone = [...this.#held].flatMap(([unit, { version }]) => {
      return isWanted(unit, version) ? [] : [unit];
    });
    const again = new Set(added.map(({ unit }) => unit));
    const change = () => {
      for (const unit of gone) {
        if (!(isNames(unit) && again.has(unit))) this.#copyWith(unit).remove(unit);
      }
      for (const each of added) this.#insert(each);
    };
    const ranks = this.#ranks;
    this.replica.transaction(ranks ? () => ranks.transaction(change) : change);
    for (const unit of gone) this.#release(unit);
    for (const each of added) this.#hold(each);
  }

  /** Drops what was read least recently, until the rest is not larger than `most`. */
  dropOldest(most: number, isKept: (unit: string) => boolean): void {
    const dropped = new Set<string>();
    let size = this.#size;
    for (const [unit, held] of this.#held) {
      if (size <= most) break;
      if (isKept(unit)) continue;
      size -= held.size;
      dropped.add(unit);
    }
    if (dropped.size > 0) this.replace((unit) => !dropped.has(unit), []);
  }

  close(): void {
    this.replica.close();
    this.#ranks?.close();
  }

  #copyWith(unit: string): Replica {
    return unit.startsWith('ranks/') ? this.ranks : this.replica;
  }

  #insert({ unit, content }: ReadUnit): void {
    if (content instanceof Uint8Array) return;
    if (isNames(unit)) return this.#insertNames(unit, content);
    const replica = this.#copyWith(unit);
    for (const table of content.tables) replica.insert(table);
    if (unit === 'board') this.#keepDays(content);
    if (!unit.startsWith('operators/')) return;
    const { places } = content.facts as { places: [number, number][] };
    for (const [seq, place] of places) this.replica.setPlace(numberOf(unit), seq, place);
  }

  #insertNames(unit: string, { tables, facts }: FactsContent): void {
    const { changedAt } = facts as { changedAt: [number, string][] };
    this.replica.renewNames(numberOf(unit), tables[0], changedAt);
  }

  #keepDays({ tables }: FactsContent): void {
    this.#days = tables.find(({ table }) => table === 'daily_publications') ?? null;
    if (this.#ranks) this.#copyDays(this.#ranks);
  }

  #copyDays(ranks: Replica): void {
    ranks.remove('board');
    if (this.#days) ranks.insert(this.#days);
  }

  #hold({ unit, version, size, content }: ReadUnit): void {
    this.#held.set(unit, { version, size, file: content instanceof Uint8Array ? content : null });
    this.#size += size;
  }

  #release(unit: string): void {
    this.#size -= this.#held.get(unit)?.size ?? 0;
    this.#held.delete(unit);
  }
}

function isNames(unit: string): boolean {
  return unit.startsWith('names/');
}

function numberOf(unit: string): number {
  return Number(unit.split('/')[1]);
}
