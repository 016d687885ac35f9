/** The responses of one tool and month, in their binary file format, because most are never read individually. */
import { endianness } from 'node:os';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { Row } from './row.ts';
import type { DayCount, Month } from './summary-file.ts';
import type { KeptResponse } from './types.ts';

/** The numbers of a response. The first slot contains the bytes of its name. */
const SLOTS = 8;
const SLOT_BYTES = 8;
const ROW_BYTES = SLOTS * SLOT_BYTES;
const [AT, SOURCE, INPUT, OUTPUT, CACHE_WRITE, CACHE_READ, RUN] = [1, 2, 3, 4, 5, 6, 7] as const;
/** Marks a token type that no log reports. */
const NONE = -1;

export class Shard {
  /** Provider and model. `SOURCE` is an index into this list. */
  readonly sources: [provider: string, model: string][];
  #numbers: Float64Array<ArrayBuffer>;
  #bytes: Buffer;

  /** @param numbers `SLOTS` numbers for each response. Modified in place. */
  constructor(sources: [provider: string, model: string][], numbers: Float64Array<ArrayBuffer>) {
    this.sources = sources;
    this.#numbers = numbers;
    this.#bytes = Buffer.from(numbers.buffer);
  }

  static of(rows: readonly Row[]): Shard {
    return new Shard([], new Float64Array(0)).replace([], rows);
  }

  get size(): number {
    return this.#numbers.length / SLOTS;
  }

  /** All numbers, in the format of the file. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  row(place: number): Row {
    const [provider = '', model = ''] = this.sources[this.#number(place, SOURCE)] ?? [];
    return {
      name: this.#name(place),
      at: this.#number(place, AT),
      provider,
      model,
      input: this.#number(place, INPUT),
      output: this.#number(place, OUTPUT),
      cache_write: pillar(this.#number(place, CACHE_WRITE)),
      cache_read: pillar(this.#number(place, CACHE_READ)),
      run: this.#number(place, RUN),
    };
  }

  response(place: number): KeptResponse {
    const [at, run] = [this.#number(place, AT), this.#number(place, RUN)];
    return { name: this.#name(place), run, at };
  }

  #name(place: number): string {
    const start = place * ROW_BYTES;
    return this.#bytes.toString('base64url', start, start + SLOT_BYTES);
  }

  #number(place: number, slot: number): number {
    return this.#numbers[place * SLOTS + slot] ?? 0;
  }

  places(): number[] {
    return this.#placesWhere(() => true);
  }

  /** The places of responses that have the name or the time of a given response. */
  near(told: ReadonlyMap<string, Row>): number[] {
    const instants = new Set(Array.from(told.values(), ({ at }) => at));
    const starts = new Set(Array.from(told.keys(), startOf));
    return this.#placesWhere((place) => {
      if (instants.has(this.#number(place, AT))) return true;
      // Compares 4 bytes first, because decoding a name is slower than everything else.
      return starts.has(this.#bytes.readInt32LE(place * ROW_BYTES)) && told.has(this.#name(place));
    });
  }

  placesOf(day: number, provider: string, model: string): number[] {
    const source = this.#findSource(provider, model);
    return this.#placesWhere((place) => {
      return this.#number(place, SOURCE) === source && this.#day(place) === day;
    });
  }

  #day(place: number): number {
    return Math.floor(this.#number(place, AT) / DAY_MS);
  }

  #placesWhere(isWanted: (place: number) => boolean): number[] {
    const { size } = this;
    const places: number[] = [];
    for (let place = 0; place < size; place += 1) if (isWanted(place)) places.push(place);
    return places;
  }

  /** Replaces responses by others. Their number may differ. */
  replace(places: readonly number[], rows: readonly Row[]): Shard {
    if (rows.length < places.length) {
      const gone = new Set(places);
      const left = this.#placesWhere((place) => !gone.has(place));
      return Shard.of([...left.map((place) => this.row(place)), ...rows]);
    }
    const { size } = this;
    this.#grow(rows.length - places.length);
    rows.forEach((row, index) => this.#put(places[index] ?? size + index - places.length, row));
    return this;
  }

  #grow(rows: number): void {
    if (rows === 0) return;
    const grown = new Float64Array(this.#numbers.length + rows * SLOTS);
    const bytes = Buffer.from(grown.buffer);
    bytes.set(this.#bytes);
    this.#numbers = grown;
    this.#bytes = bytes;
  }

  #put(place: number, row: Row): void {
    const start = place * SLOTS;
    this.#bytes.write(row.name, place * ROW_BYTES, SLOT_BYTES, 'base64url');
    this.#numbers[start + AT] = row.at;
    this.#numbers[start + SOURCE] = this.#sourceOf(row.provider, row.model);
    this.#numbers[start + INPUT] = row.input;
    this.#numbers[start + OUTPUT] = row.output;
    this.#numbers[start + CACHE_WRITE] = row.cache_write ?? NONE;
    this.#numbers[start + CACHE_READ] = row.cache_read ?? NONE;
    this.#numbers[start + RUN] = row.run;
  }

  #findSource(provider: string, model: string): number {
    return this.sources.findIndex((one) => one[0] === provider && one[1] === model);
  }

  /** The index of a source, which is added if it is new. */
  #sourceOf(provider: string, model: string): number {
    const known = this.#findSource(provider, model);
    return known < 0 ? this.sources.push([provider, model]) - 1 : known;
  }

  /** The shard's part of the summary, without a file. */
  month(): Month {
    const counts = this.sources.map(() => new Map<number, DayCount>());
    const days: DayCount[] = [];
    for (let place = 0; place < this.size; place += 1) {
      const [day, source] = [this.#day(place), this.#number(place, SOURCE)];
      let count = counts[source]?.get(day);
      if (count === undefined) {
        count = [day, source, 0, Number.NEGATIVE_INFINITY, 0, 0, null, null];
        counts[source]?.set(day, count);
        days.push(count);
      }
      count[2] += 1;
      count[3] = Math.max(count[3], this.#number(place, AT));
      count[4] += this.#number(place, INPUT);
      count[5] += this.#number(place, OUTPUT);
      count[6] = sum(count[6], this.#number(place, CACHE_WRITE));
      count[7] = sum(count[7], this.#number(place, CACHE_READ));
    }
    return { file: null, responses: this.size, sources: [...this.sources], days };
  }

  sumUntil(places: readonly number[], untilMs: number): Pillars {
    const total: Pillars = { input: 0, output: 0, cache_write: null, cache_read: null };
    for (const place of places) {
      if (this.#number(place, AT) > untilMs) continue;
      total.input += this.#number(place, INPUT);
      total.output += this.#number(place, OUTPUT);
      total.cache_write = sum(total.cache_write, this.#number(place, CACHE_WRITE));
      total.cache_read = sum(total.cache_read, this.#number(place, CACHE_READ));
    }
    return total;
  }
}

function startOf(name: string): number {
  return Buffer.from(name, 'base64url').readInt32LE();
}

function pillar(count: number): number | null {
  return count === NONE ? null : count;
}

function sum(before: number | null, count: number): number | null {
  return count === NONE ? before : (before ?? 0) + count;
}

interface Head {
  rules: number | null;
  sources: Shard['sources'];
  /** The byte order of this machine. */
  order: 'BE' | 'LE';
}

export interface RuledShard {
  rules: number | null;
  shard: Shard;
}

export function bytesOfShard({ rules, shard }: RuledShard): Uint8Array {
  const head: Head = { rules, sources: shard.sources, order: endianness() };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), shard.bytes]);
}

/** Parses bytes from {@linkcode bytesOfShard}; null if they have another byte order. */
export function parseShard(bytes: Buffer): RuledShard | null {
  const end = bytes.indexOf('\n');
  const { rules, sources, order } = JSON.parse(bytes.toString('utf8', 0, end)) as Head;
  if (order !== endianness()) return null;
  // A Float64Array needs an aligned start, so the bytes are copied.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(end + 1)).buffer);
  return { rules, shard: new Shard(sources, numbers) };
}
