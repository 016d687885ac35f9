/**
 * The keys of devices by name, including the effect of one device replacing another.
 *
 * @module
 */

/** A key and the device that its submissions count for. */
interface DeviceKey {
  operator: string;
  device: string;
}

export class DeviceKeys<Key extends DeviceKey> {
  readonly #byId = new Map<string, Key>();
  readonly #ofDevice = new Map<string, Key[]>();
  /** For each replaced device, the device that it is now part of. */
  readonly replaced = new Map<string, string>();

  get(keyid: string): Key | undefined {
    return this.#byId.get(keyid);
  }

  add(keyid: string, key: Key): void {
    this.#byId.set(keyid, key);
    this.#ofDevice.set(key.device, [...this.ofDevice(key.device), key]);
  }

  /** All keys of a device, including those of the devices that it replaced. */
  ofDevice(device: string): readonly Key[] {
    return this.#ofDevice.get(device) ?? [];
  }

  /**
   * Moves all keys of a device to the one that replaces it.
   *
   * @returns The moved keys; empty if it is not another device of the same operator.
   */
  replace({ operator, device, replaces }: DeviceKey & { replaces: string }): readonly Key[] {
    const moved = this.ofDevice(replaces);
    if (device === replaces || moved.some((key) => key.operator !== operator)) return [];
    for (const key of moved) key.device = device;
    this.#ofDevice.set(device, [...this.ofDevice(device), ...moved]);
    this.#ofDevice.delete(replaces);
    for (const [part, by] of this.replaced) if (by === replaces) this.replaced.set(part, device);
    this.replaced.set(replaces, device);
    return moved;
  }

  entries(): IterableIterator<[string, Key]> {
    return this.#byId.entries();
  }
}
