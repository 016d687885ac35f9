import type { OperatorColumns } from './columns.ts';

/** Who is meant: a 1 at the position of each such operator. */
export type Among = Uint8Array;

/** All who stand in a publication, in the order of their names. */
export class PublishedOperators {
  readonly #codenames: readonly string[];
  readonly #displayNames: readonly string[];
  readonly #columns: OperatorColumns;

  constructor(columns: OperatorColumns) {
    this.#columns = columns;
    this.#codenames = columns.codenames === '' ? [] : columns.codenames.split('\n');
    this.#displayNames = columns.display_names.split('\n');
  }

  /** Those whose name, or what they call themselves, holds a text, in whatever case. */
  named(text: string): Among {
    return Uint8Array.from(this.#codenames, (codename, position) => {
      return isNamed({ codename, display_name: this.displayNameAt(position) }, text) ? 1 : 0;
    });
  }

  codenameAt(position: number): string {
    return this.#codenames[position] as string;
  }

  displayNameAt(position: number): string | null {
    return this.#displayNames[position] || null;
  }

  /** How many devices of an operator may sign. */
  devicesAt(position: number): number {
    return this.#columns.devices[position] as number;
  }

  /** Binary search; null if nobody is called so. */
  positionOf(codename: string): number | null {
    return indexIn(this.#codenames.length, codename, (index) => this.codenameAt(index));
  }
}

/** Whether a name holds a text, in whatever case. */
export function isNamed(
  { codename, display_name }: { codename: string; display_name: string | null },
  text: string,
): boolean {
  const wanted = text.toLowerCase();
  return codename.includes(wanted) || (display_name?.toLowerCase().includes(wanted) ?? false);
}

/** The index of a key among ascending ones. */
export function indexIn<Key extends number | string>(
  length: number,
  key: Key,
  keyAt: (index: number) => Key,
): number | null {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keyAt(middle);
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
