/**
 * Reads messages of Protocol Buffers, given as hexadecimal digits. Only the fields that are asked for are decoded, so long
 * texts in a message cost nothing.
 *
 * Format: https://protobuf.dev/programming-guides/encoding/
 *
 * @module
 */

/** The values of a message by field: numbers, and the digits of texts and messages. Other types are left out. */
export type Message = ReadonlyMap<number, readonly (number | string)[]>;

/** The message in hexadecimal digits; null if they are not one. */
export function messageOf(digits: unknown): Message | null {
  if (typeof digits !== 'string' || !/^[\da-f]*$/i.test(digits)) return null;
  const bytes = new Bytes(digits);
  const message = new Map<number, (number | string)[]>();
  while (!bytes.isAtEnd()) {
    const tag = bytes.varint();
    const value = bytes.value(tag % 8);
    const field = Math.floor(tag / 8);
    if (value === null || !(field > 0)) return null;
    if (value !== '') message.set(field, [...(message.get(field) ?? []), value]);
  }
  return message;
}

/** A message in a field; an empty one if the field is missing, null if it is not a message. */
export function messageIn(message: Message, field: number): Message | null {
  return messageOf(message.get(field)?.at(-1) ?? '');
}

/** A count: 0 if missing, because zeros are left out. NaN if invalid. */
export function countIn(message: Message, field: number): number {
  const value = message.get(field)?.at(-1) ?? 0;
  return typeof value === 'number' ? value : NaN;
}

/** All counts of a field with many, whether they are packed or not. */
export function countsIn(message: Message, field: number): number[] {
  return (message.get(field) ?? []).flatMap((value) => {
    if (typeof value === 'number') return value;
    const counts: number[] = [];
    for (const bytes = new Bytes(value); !bytes.isAtEnd();) counts.push(bytes.varint());
    return counts;
  });
}

/** The longest text, in bytes. */
const TEXT_BYTES = 1024;

/** A text: empty if missing, null if it is invalid or too long. */
export function textIn(message: Message, field: number): string | null {
  const digits = message.get(field)?.at(-1) ?? '';
  if (typeof digits !== 'string' || digits.length > 2 * TEXT_BYTES) return null;
  try {
    return decodeURIComponent(digits.replace(/../g, '%$&'));
  } catch {
    return null;
  }
}

/** The seven bits of a byte that belong to a number, and the one that says whether another byte follows. */
const SEVEN_BITS = 128;

const LONGEST_VARINT = 10;

class Bytes {
  readonly #digits: string;
  #at = 0;

  constructor(digits: string) {
    this.#digits = digits;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#digits.length;
  }

  /** The next number of variable length. NaN if it is cut off, or too large to be exact. */
  varint(): number {
    let value = 0;
    for (let place = 0; place < LONGEST_VARINT; place++) {
      const byte = parseInt(this.#take(1), 16);
      value += (byte % SEVEN_BITS) * SEVEN_BITS ** place;
      if (!(byte >= SEVEN_BITS)) break;
    }
    return Number.isSafeInteger(value) ? value : NaN;
  }

  /** The next value of a wire type; empty if it is of no interest or without content, null if it is invalid. */
  value(type: number): number | string | null {
    if (type === 0) return this.varint();
    const length = type === 2 ? this.varint() : FIXED_LENGTHS.get(type);
    if (length === undefined || !(length * 2 <= this.#digits.length - this.#at)) return null;
    const digits = this.#take(length);
    return type === 2 ? digits : '';
  }

  #take(length: number): string {
    const from = this.#at;
    this.#at += length * 2;
    return this.#digits.slice(from, this.#at);
  }
}

/** The lengths of values with a fixed one, by wire type. */
const FIXED_LENGTHS = new Map([
  [1, 8],
  [5, 4],
]);
