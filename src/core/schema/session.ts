/** Who asks, and by which credential. */
export interface Caller {
  operator_id: number;
  /** The device that asks; null for a session. */
  device_id: number | null;
}
