/** Who asks, and by which credential. */
export interface Caller {
  operator_id: number;
  /** The device that asks; null for a session. */
  device_id: number | null;
  /** The session that asks, as its operator revokes it; absent for a device. */
  session_id?: string;
  /** What an application was allowed; absent where the operator asks without one. */
  scopes?: readonly string[];
}
