/**
 * The keys of devices by their names, and what becomes of them when one device replaces another.
 *
 * @module
 */

/** A key with the device that its submissions count for. */
interface DeviceKey {
  operator: string;
  device: string;
}

export class DeviceKeys<Key extends DeviceKey> {
  readonly #byId = new Map<string, Key>();
  readonly #ofDevice = new Map<string, Key[]>();
  /** The device that each replaced one is part of now. */
  readonly replaced = new Map<string, string>();

  get(keyid: string): Key | undefined {
    return this.#byId.get(keyid);
  }

  add(keyid: string, key: Key): void {
    this.#byId.set(keyid, key);
    this.#ofDevice.set(key.device, [...this.ofDevice(key.device), key]);
  }

  /** All keys of a device, those of the devices that it replaced among them. */
  ofDevice(device: string): readonly Key[] {
    return this.#ofDevice.get(device) ?? [];
  }

  /**
   * Gives all keys of a device to the one that replaces it.
   *
   * @returns Those keys; none if it is not another device of the same operator.
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
