/** Values of something that does not change, such as a publication; the least recently read one is forgotten first. */
export class RecentMemo<Owner extends object, Value> {
  readonly #most: number;
  readonly #values = new WeakMap<Owner, Map<string, Value>>();

  constructor(most: number) {
    this.#most = most;
  }

  has(owner: Owner, key: string): boolean {
    return this.#values.get(owner)?.has(key) ?? false;
  }

  /** The value of a key, made when it is not known. */
  read(owner: Owner, key: string, make: () => Value): Value {
    const values = this.#values.get(owner) ?? new Map<string, Value>();
    this.#values.set(owner, values);
    const value = values.has(key) ? (values.get(key) as Value) : make();
    values.delete(key);
    values.set(key, value);
    if (values.size > this.#most) values.delete(values.keys().next().value ?? '');
    return value;
  }

  /** The same of a value that takes a while; of a failure nothing is kept. */
  async readLater(owner: Owner, key: string, make: () => Promise<Value>): Promise<Value> {
    if (this.has(owner, key)) return this.#values.get(owner)?.get(key) as Value;
    const made = await make();
    return this.read(owner, key, () => made);
  }
}
