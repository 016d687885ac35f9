/**
 * The standing buckets of two devices that become one. They depend only on the submissions in log order.
 *
 * @module
 */
import type { Correction } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type CountedBucket, Replay, type CountedSubmission, dayAndTool } from './counting.ts';

/** A group of buckets to which both devices contributed. */
export interface SharedGroup {
  day: string;
  tool: string;
  /** The standing buckets of the merged device. */
  buckets: CountedBucket[];
}

/** The first and last day that a device corrected, by tool. */
type Corrected = Map<string, { from: string; to: string }>;

/**
 * Finds what changes when one device takes over another's submissions: days and tools that both submitted, or
 * that one submitted and the other may have corrected. Everything else stays as it is.
 */
export class MergedDevices {
  readonly #device_id: number;
  readonly #replay = new Replay();
  readonly #groups = new Map<string, { day: string; tool: string; by: Set<number> }>();
  readonly #corrected = new Map<number, Corrected>();

  /** @param device_id The device that takes over. */
  constructor(device_id: number) {
    this.#device_id = device_id;
  }

  /** Adds the next accepted submission of either device. */
  apply(submission: CountedSubmission): void {
    const { device_id, correction, buckets } = submission;
    this.#replay.apply({ ...submission, device_id: this.#device_id });
    if (correction) this.#correct(device_id, correction);
    for (const { day, tool } of buckets) {
      const key = dayAndTool({ day, tool });
      const group = this.#groups.get(key) ?? { day, tool, by: new Set() };
      group.by.add(device_id);
      this.#groups.set(key, group);
    }
  }

  result(): SharedGroup[] {
    const shared = new Map<string, SharedGroup>();
    for (const [key, { day, tool, by }] of this.#groups) {
      if (this.#isShared({ day, tool, by })) shared.set(key, { day, tool, buckets: [] });
    }
    for (const bucket of this.#replay.result())
      shared.get(dayAndTool(bucket))?.buckets.push(bucket);
    return [...shared.values()];
  }

  #correct(device_id: number, { tool, from, to }: Correction): void {
    const corrected: Corrected = this.#corrected.get(device_id) ?? new Map();
    const known = corrected.get(tool) ?? { from, to };
    corrected.set(tool, {
      from: from < known.from ? from : known.from,
      to: to > known.to ? to : known.to,
    });
    this.#corrected.set(device_id, corrected);
  }

  #isShared({ day, tool, by }: Pick<Bucket, 'day' | 'tool'> & { by: Set<number> }): boolean {
    if (by.size > 1) return true;
    return [...this.#corrected].some(([device_id, corrected]) => {
      const span = corrected.get(tool);
      return !by.has(device_id) && span !== undefined && day >= span.from && day <= span.to;
    });
  }
}
