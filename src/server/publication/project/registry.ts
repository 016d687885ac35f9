import type { BucketSource } from '#core/domain/metrics/day-series.ts';

/** Gives tools and sources numbers, in the order in which they first appear. */
export class Registry {
  /** A tool's number is its index plus one. */
  readonly tools: string[];
  readonly sources: BucketSource[];
  readonly #toolNumbers: Map<string, number>;
  readonly #sourceNumbers: Map<string, number>;

  constructor(tools: readonly string[] = [], sources: readonly BucketSource[] = []) {
    this.tools = [...tools];
    this.sources = [...sources];
    this.#toolNumbers = new Map(tools.map((tool, index) => [tool, index + 1]));
    this.#sourceNumbers = new Map(sources.map((source, index) => [nameOf(source), index]));
  }

  toolNumber(tool: string): number {
    let number = this.#toolNumbers.get(tool);
    if (number === undefined) {
      number = this.tools.push(tool);
      this.#toolNumbers.set(tool, number);
    }
    return number;
  }

  sourceNumber(source: BucketSource): number {
    const name = nameOf(source);
    let number = this.#sourceNumbers.get(name);
    if (number === undefined) {
      number = this.sources.push(source) - 1;
      this.#sourceNumbers.set(name, number);
    }
    return number;
  }
}

function nameOf({ tool, provider, model, trust }: BucketSource): string {
  return `${tool}\n${provider}\n${model}\n${trust}`;
}
