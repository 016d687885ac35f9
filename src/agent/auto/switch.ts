import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type LocalDevice, type Place, identitiesOf } from '../device.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import { keepProgram } from '../state/installed.ts';
import { forgetProxy } from '../state/saved-proxy.ts';
import { sha256 } from '../state/sha256.ts';
import { carriedVariables } from '../carried-variables.ts';
import { type Environment, refuseControls, stateFolder } from '../settings.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import { TimerName } from '../device-reports.ts';
import { cron } from './cron.ts';
import { launchd } from './launchd.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';
import type { Timer } from './timer.ts';

/** All kinds of timers, in order of preference. */
export const TIMERS: readonly Timer[] = [systemd, launchd, taskScheduler, cron];

/**
 * Installs the timer, or replaces it, and saves a copy of this program for it.
 *
 * @throws {Failure} `notEnrolled` without a board; `usage` if the system has no timer that works.
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
 * Removes the timer, wherever it is. Returns false if there was none.
 *
 * @throws {Failure} if it may still exist. The setting is then kept.
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

/** Removes a timer that is not in our setting. Errors are ignored. */
function takeAway(timer: Timer, environment: Place['environment']): boolean {
  return orNull(() => timer.unset(environment)) ?? false;
}

/** Keeps the time of the first installation. */
function sinceOf({ environment, nowMs }: LocalDevice): string {
  return readSetting(environment)?.since ?? new Date(nowMs()).toISOString();
}

/** A number that differs from device to device and never changes. */
function spreadOf(installationId: string): number {
  return sha256(installationId).readUInt32BE(0);
}

const ABSENT: Partial<Record<typeof process.platform, string>> = {
  win32: 'Task Scheduler does not answer (schtasks /Query)',
  darwin: 'launchctl does not run',
};

function noTimer(node: string, file: string, platform: typeof process.platform): Failure {
  const why = ABSENT[platform] ?? 'there is no systemd user manager and no crontab here';
  const task = String.raw`"\"${node}\" \"${file}\" auto run"`;
  const hint =
    platform === 'win32'
      ? `Create the task yourself: schtasks /create /tn opbench /sc hourly /mo 6 /tr ${task}`
      : `Set up your own timer to run this every 6 hours: "${node}" "${file}" auto run`;
  return new Failure(EXIT.usage, `No timer was installed: ${why}`, hint);
}

const Setting = z.looseObject({
  timer: TimerName,
  node: z.string(),
  file: z.string(),
  since: z.iso.datetime(),
});
export type Setting = z.infer<typeof Setting>;

/** Null if the timer is off, or if the file cannot be read. */
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
