import type { Environment } from '../settings.ts';

export interface Job {
  node: string;
  file: string;
  variables: Readonly<Record<string, string>>;
}

/** What makes the system run a job every 6 hours. */
export interface Timer {
  readonly name: 'systemd' | 'cron';
  isUsable(environment: Environment): boolean;
  /** Whether a timer of ours is set there; throws if that cannot be told. */
  isSet(environment: Environment): boolean;
  /** Whether the system heeds what is set; null where it does not tell. */
  isHeeded(environment: Environment): boolean | null;
  /**
   * Sets ours, or sets it anew.
   *
   * @param spread Spreads devices over the hours: a whole number.
   * @throws {Failure} if it cannot; then nothing is set.
   */
  set(environment: Environment, job: Job, spread: number): void;
  /** Takes ours away; false if there was none. Throws if that cannot be told. */
  unset(environment: Environment): boolean;
}

export const EVERY_HOURS = 6;
