import { TlogError } from './tlog-error.ts';

/**
 * The way from a node of the tree to the root, on which each hash of a path is added. Knows the number of the node and
 * of the last node of its level.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2 | RFC 9162, sections 2.1.3.2 and 2.1.4.2}
 */
export class PathWalk {
  #node: number;
  #last: number;

  constructor(node: number, last: number) {
    this.#node = node;
    this.#last = last;
  }

  get isAtFirst(): boolean {
    return this.#node === 0;
  }

  /** Goes up to the root of the largest complete subtree that ends with the node. */
  skipComplete(): void {
    while (this.#node % 2 === 1) this.#up();
  }

  /**
   * The side of the next hash of the path. Goes up to where it was added.
   *
   * @throws {TlogError} at the root.
   */
  step(): 'left' | 'right' {
    if (this.#last === 0) throw new TlogError('The path has too many hashes');
    const isOnRight = this.#node % 2 === 1 || this.#node === this.#last;
    // The last node of a level has no sibling if its number is even, and moves up unchanged.
    if (isOnRight) while (this.#node % 2 === 0) this.#up();
    this.#up();
    return isOnRight ? 'left' : 'right';
  }

  /** @throws {TlogError} below the root. */
  end(): void {
    if (this.#last > 0) throw new TlogError('The path has too few hashes');
  }

  #up(): void {
    this.#node = Math.floor(this.#node / 2);
    this.#last = Math.floor(this.#last / 2);
  }
}
