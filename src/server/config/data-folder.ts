/** Finds the data folder of a board. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './config.ts';
import { ConfigError } from './config-error.ts';
import { isCheckout, resolveSetting } from './installation.ts';

/** The part of the system that decides where the default is. */
interface System {
  platform: NodeJS.Platform;
  /** The folder that the systemd unit creates. Commands in a shell find it without a setting. */
  shared: string;
  home(): string;
}

const OWN: System = { platform: process.platform, shared: '/var/lib/opbench', home: homedir };

/**
 * The absolute path of the data folder.
 *
 * @throws {ConfigError} if `DATA_DIR` is not set and there is no home folder.
 */
export function dataFolder(environment: Environment, root: string, system = OWN): string {
  const named = environment['DATA_DIR'] ?? '';
  if (named !== '') return resolveSetting(named, root);
  if (isCheckout(root)) return join(root, 'db', 'data');
  // A unit can have several, separated by colons.
  const [state = ''] = (environment['STATE_DIRECTORY'] ?? '').split(':');
  if (state !== '') return state;
  if (system.platform === 'linux' && existsSync(system.shared)) return system.shared;
  return join(userFolder(environment, system), 'opbench-board');
}

/** The folder in which programs keep the data of a user. */
function userFolder(environment: Environment, system: System): string {
  const absolute = (name: string) => {
    const path = environment[name] ?? '';
    return isAbsolute(path) ? path : null;
  };
  if (system.platform === 'win32') {
    return absolute('LOCALAPPDATA') ?? join(homeOf(system), 'AppData', 'Local');
  }
  if (system.platform === 'darwin') return join(homeOf(system), 'Library', 'Application Support');
  return absolute('XDG_DATA_HOME') ?? join(homeOf(system), '.local', 'share');
}

function homeOf({ home }: System): string {
  try {
    return home();
  } catch {
    throw new ConfigError(
      'DATA_DIR: must be set because this user has no home folder. Set it to the data folder of the board',
    );
  }
}
