import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type LocalDevice, type Place, identitiesOf } from '../device.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import { keepProgram } from '../state/installed.ts';
import { forgetProxy } from '../state/saved-proxy.ts';
import { sha256 } from '../state/sha256.ts';
import { type Environment, carriedVariables, refuseControls, stateFolder } from '../settings.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import { cron } from './cron.ts';
import { systemd } from './systemd.ts';
import type { Timer } from './timer.ts';

/** All timers, the one that is preferred first. */
export const TIMERS: readonly Timer[] = [systemd, cron];

/**
 * Sets the timer, or sets it anew, and keeps a copy of this program for it.
 *
 * @throws {Failure} `notEnrolled` without a board; `usage` where there is nothing to set it in.
 */
export function turnOn(device: LocalDevice, platform: typeof process.platform): Setting {
  identitiesOf(device, undefined);
  const { environment, keystore } = device;
  const file = keepProgram(device);
  const job = { node: process.execPath, file, variables: carriedVariables(environment) };
  refuseControls('the path of Node', job.node);
  refuseControls('the path of the program', job.file);
  const timer = TIMERS.find((one) => one.isUsable(environment));
  if (!timer) throw noTimer(job.node, file, platform);

  timer.set(environment, job, spreadOf(keystore.installationId()));
  for (const other of TIMERS) if (other !== timer) takeAway(other, environment);
  const setting = { timer: timer.name, node: job.node, file, since: sinceOf(device) };
  keepSetting(environment, setting);
  return setting;
}

/**
 * Takes away what {@linkcode turnOn} set, wherever it is; false if there was nothing.
 *
 * @throws {Failure} if it may still be there; then it is remembered that it was set.
 */
export function turnOff({ environment }: Pick<Place, 'environment'>): boolean {
  const setting = readSetting(environment);
  const removed = TIMERS.map((timer) => {
    return timer.name === setting?.timer ? timer.unset(environment) : takeAway(timer, environment);
  });
  dropSetting(environment);
  forgetProxy(environment, 'timer');
  return removed.includes(true);
}

/** Where it cannot be told whether ours is set, it was not set by the setting at hand. */
function takeAway(timer: Timer, environment: Place['environment']): boolean {
  return orNull(() => timer.unset(environment)) ?? false;
}

/** What was set before stays as old as it is. */
function sinceOf({ environment, nowMs }: LocalDevice): string {
  return readSetting(environment)?.since ?? new Date(nowMs()).toISOString();
}

/** A number that differs from device to device and stays. */
function spreadOf(installationId: string): number {
  return sha256(installationId).readUInt32BE(0);
}

function noTimer(node: string, file: string, platform: typeof process.platform): Failure {
  if (platform === 'win32') {
    const task = String.raw`"\"${node}\" \"${file}\" auto run"`;
    const hint = `Set it yourself: schtasks /create /tn opbench /sc hourly /mo 6 /tr ${task}`;
    return new Failure(EXIT.usage, 'opbench sets no timer on Windows', hint);
  }
  const message = 'There is neither a systemd user manager nor crontab here';
  const hint = `Let a timer of yours run this every 6 hours: "${node}" "${file}" auto run`;
  return new Failure(EXIT.usage, message, hint);
}

const Setting = z.looseObject({
  timer: z.enum(['systemd', 'cron']),
  node: z.string(),
  file: z.string(),
  since: z.iso.datetime(),
});
export type Setting = z.infer<typeof Setting>;

/** Null if nothing was set, or if that cannot be read. */
export function readSetting(environment: Environment): Setting | null {
  return readJson(pathOf(environment), Setting);
}

export function keepSetting(environment: Environment, setting: Setting): void {
  writePrivate(pathOf(environment), `${JSON.stringify(setting, null, 2)}\n`);
}

function dropSetting(environment: Environment): void {
  rmSync(pathOf(environment), { force: true });
}

function pathOf(environment: Environment): string {
  return join(stateFolder(environment), 'auto.json');
}
