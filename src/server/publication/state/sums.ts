/**
 * Sums of hashes, from which the numbers of boards are derived. A sum does not depend on the order of its terms, so
 * that a changed operator costs two terms. A sum has two halves of 24 bits in one number.
 */
import { type NumberBlocks, placeAt } from './blocks.ts';
import { rowLength } from './standing-row.ts';

const HALF = 2 ** 24;

export function addSum(a: number, b: number): number {
  return combined(upper(a) + upper(b), lower(a) + lower(b));
}

export function subtractSum(a: number, b: number): number {
  return combined(upper(a) - upper(b) + HALF, lower(a) - lower(b) + HALF);
}

function upper(sum: number): number {
  return Math.floor(sum / HALF);
}

function lower(sum: number): number {
  return sum % HALF;
}

function combined(high: number, low: number): number {
  return (high % HALF) * HALF + (low % HALF);
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/** Two hashes by FNV-1a over 32-bit words with different starts. */
class Hash {
  #a = 0x811c9dc5;
  #b = 0x2f0b4c47;

  add(value: number): void {
    scratch[0] = value;
    // The bits of NaN may differ, although it is one value here.
    this.#mix(Number.isNaN(value) ? 0x7ff80000 : (words[0] as number));
    this.#mix(Number.isNaN(value) ? 1 : (words[1] as number));
  }

  get sum(): number {
    return combined((this.#a ^ (this.#a >>> 8)) >>> 8, (this.#b ^ (this.#b >>> 8)) >>> 8);
  }

  #mix(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#a ^= this.#a >>> 15;
    this.#b = Math.imul(this.#b ^ word, 0x85ebca6b);
    this.#b ^= this.#b >>> 13;
  }
}

/** The term of an operator's row at a position; 0 for none. */
export function rowSum(blocks: NumberBlocks, position: number, operator_id: number): number {
  if (position === 0) return 0;
  const hash = new Hash();
  hash.add(operator_id);
  const { numbers, at } = placeAt(blocks, position);
  const end = at + rowLength({ numbers, at });
  for (let index = at; index < end; index += 1) hash.add(numbers[index] as number);
  return hash.sum;
}

/** The term of an operator's names and facts. */
export function operatorSum(operator_id: number, names: string, facts: number): number {
  const hash = new Hash();
  hash.add(operator_id);
  hash.add(facts);
  for (let index = 0; index < names.length; index += 1) hash.add(names.charCodeAt(index));
  return hash.sum;
}

/** A number for cursors, which have room for 15 digits. 0 stands for boards of past days. */
export function versionOf(...sums: readonly number[]): number {
  const hash = new Hash();
  for (const sum of sums) hash.add(sum);
  return hash.sum || 1;
}
