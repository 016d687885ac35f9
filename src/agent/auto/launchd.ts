/**
 * A LaunchAgent of the signed-in user on macOS.
 *
 * @see {@link https://keith.github.io/xcode-man-pages/launchd.plist.5.html | launchd.plist(5)}
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { escapedMarkup } from '#core/domain/text/escape.ts';
import { EXIT, Failure } from '../failure.ts';
import { type Environment, homeFolder } from '../settings.ts';
import { writePrivate } from '../state/atomic-file.ts';
import {
  type Ended,
  type Job,
  MARK,
  type Timer,
  isOurs,
  refuseForeign,
  runProgram,
  timesOf,
} from './timer.ts';

const LABEL = 'opbench.auto';

export const launchd: Timer = {
  name: 'launchd',
  isUsable: (environment) => ask(environment, 'version')?.status === 0,
  isSet: (environment) => isOurs(plistPath(environment)) || isLoaded(environment),
  isHeeded(environment) {
    if (ask(environment, 'print', domain())?.status !== 0) return null;
    return isLoaded(environment);
  },
  set(environment, job, spread) {
    const path = plistPath(environment);
    refuseForeign(path);
    try {
      writePrivate(path, plistText(job, timesOf(spread)));
      load(environment, path);
    } catch (error) {
      unload(environment, path);
      throw error;
    }
  },
  unset(environment) {
    if (!launchd.isSet(environment)) return false;
    unload(environment, plistPath(environment));
    if (!isLoaded(environment)) return true;
    const message = `launchd still has the timer ${LABEL}`;
    const hint = `Run: launchctl bootout ${domain()}/${LABEL}`;
    throw new Failure(EXIT.usage, message, hint);
  },
};

/** A value of a property list. */
type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist };

/**
 * Only `StartCalendarInterval` catches up on runs that were missed during sleep, and only `RunAtLoad` on those that were
 * missed while the machine was off. launchd sets HOME, and discards what the program prints.
 */
function plistText({ node, file, variables }: Job, { minute, hours }: Times): string {
  const plist: Plist = {
    Label: LABEL,
    ProgramArguments: [node, file, 'auto', 'run'],
    ...(Object.keys(variables).length > 0 && { EnvironmentVariables: variables }),
    StartCalendarInterval: hours.map((hour) => ({ Hour: hour, Minute: minute })),
    RunAtLoad: true,
    ProcessType: 'Background',
    LowPriorityIO: true,
    Nice: 10,
    Umask: 0o077,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} -->
<plist version="1.0">
${valueText(plist)}
</plist>
`;
}

type Times = ReturnType<typeof timesOf>;

function valueText(value: Plist): string {
  if (typeof value === 'string') return `<string>${escapedMarkup(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (isList(value)) return `<array>\n${value.map(valueText).join('\n')}\n</array>`;
  const members = Object.entries(value).map(([key, member]) => {
    return `<key>${escapedMarkup(key)}</key>\n${valueText(member)}`;
  });
  return `<dict>\n${members.join('\n')}\n</dict>`;
}

function isList(value: object): value is readonly Plist[] {
  return Array.isArray(value);
}

/** `load` is for macOS before 10.11. It reports no errors, so the result is checked. */
function load(environment: Environment, path: string): void {
  // A loaded timer must be removed before it can be replaced, and a disabled one cannot be loaded.
  ask(environment, 'bootout', `${domain()}/${LABEL}`);
  ask(environment, 'enable', `${domain()}/${LABEL}`);
  const ended = ask(environment, 'bootstrap', domain(), path);
  if (ended?.status === 0) return;
  ask(environment, 'load', '-w', path);
  if (isLoaded(environment)) return;
  const why = ended?.complaint ?? 'launchctl was not found';
  const hint =
    'No timer was installed. Sign in at the screen of this Mac, then run it there again.';
  throw new Failure(EXIT.usage, `launchd rejected the timer: ${why}`, hint);
}

function unload(environment: Environment, path: string): void {
  const ended = ask(environment, 'bootout', `${domain()}/${LABEL}`);
  if (ended?.status !== 0 && isOurs(path)) ask(environment, 'unload', '-w', path);
  if (isOurs(path)) rmSync(path, { force: true });
}

function isLoaded(environment: Environment): boolean {
  return ask(environment, 'print', `${domain()}/${LABEL}`)?.status === 0;
}

/** The domain of the user's session at the screen. */
function domain(): string {
  return `gui/${process.getuid?.() ?? 0}`;
}

function ask(environment: Environment, ...words: string[]): Ended | null {
  return runProgram(environment, ['launchctl', ...words]);
}

function plistPath(environment: Environment): string {
  return join(homeFolder(environment), 'Library', 'LaunchAgents', `${LABEL}.plist`);
}
