/** Caches values of an object that does not change, such as a publication. Evicts the least recently read first. */
export class RecentMemo<Owner extends object, Value> {
  readonly #most: number;
  readonly #values = new WeakMap<Owner, Map<string, Value>>();

  constructor(most: number) {
    this.#most = most;
  }

  has(owner: Owner, key: string): boolean {
    return this.#values.get(owner)?.has(key) ?? false;
  }

  /** Returns the value of a key, computing it if it is not cached. */
  read(owner: Owner, key: string, make: () => Value): Value {
    const values = this.#values.get(owner) ?? new Map<string, Value>();
    this.#values.set(owner, values);
    const value = values.has(key) ? (values.get(key) as Value) : make();
    values.delete(key);
    values.set(key, value);
    if (values.size > this.#most) values.delete(values.keys().next().value ?? '');
    return value;
  }

  /** The same for an asynchronous value. Failures are not cached. */
  async readLater(owner: Owner, key: string, make: () => Promise<Value>): Promise<Value> {
    if (this.has(owner, key)) return this.#values.get(owner)?.get(key) as Value;
    const made = await make();
    return this.read(owner, key, () => made);
  }
}
