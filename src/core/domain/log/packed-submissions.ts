import type { Bucket } from '#core/schema/usage.ts';
import type { CountedSubmission } from '../counting/counting.ts';

/** Returns the one copy of equal texts, because the same names and days occur in every submission. */
export type Intern = (text: string) => string;

export function internTexts(): Intern {
  const texts = new Map<string, string>();
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
}

interface Head extends Omit<CountedSubmission, 'buckets'> {
  /** The number of buckets up to the end of this submission. */
  end: number;
}

/** Numbers and texts of each bucket. */
const NUMBERS = 4;
const TEXTS = 4;

/**
 * Submissions in columns, which take a fifth of the memory of objects. A check of a log holds those of all operators
 * at once.
 */
export class PackedSubmissions {
  readonly #intern: Intern;
  readonly #heads: Head[] = [];
  /** Input, output, cache writes and cache reads. NaN means null. */
  readonly #numbers: number[] = [];
  /** Day, provider, model and tool. */
  readonly #texts: string[] = [];
  readonly #fingerprints = new Map<number, string>();
  #count = 0;

  constructor(intern: Intern) {
    this.#intern = intern;
  }

  add({ buckets, ...head }: CountedSubmission): void {
    for (const bucket of buckets) {
      const { input, output, cache_write, cache_read, fingerprint } = bucket;
      this.#numbers.push(input, output, cache_write ?? Number.NaN, cache_read ?? Number.NaN);
      for (const text of [bucket.day, bucket.provider, bucket.model, bucket.tool]) {
        this.#texts.push(this.#intern(text));
      }
      if (fingerprint !== undefined) this.#fingerprints.set(this.#count, fingerprint);
      this.#count += 1;
    }
    this.#heads.push({ ...head, end: this.#count });
  }

  *[Symbol.iterator](): Generator<CountedSubmission> {
    let at = 0;
    for (const { end, ...head } of this.#heads) {
      const buckets: Bucket[] = [];
      for (; at < end; at += 1) buckets.push(this.#bucketAt(at));
      yield { ...head, buckets };
    }
  }

  #bucketAt(at: number): Bucket {
    const number = (column: number) => this.#numbers[at * NUMBERS + column] as number;
    const text = (column: number) => this.#texts[at * TEXTS + column] as string;
    const fingerprint = this.#fingerprints.get(at);
    return {
      ...{ day: text(0), provider: text(1), model: text(2), tool: text(3) },
      ...{ input: number(0), output: number(1) },
      cache_write: orNull(number(2)),
      cache_read: orNull(number(3)),
      ...(fingerprint !== undefined && { fingerprint }),
    };
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
