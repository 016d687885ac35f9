/** Finds the settings for a command, and the user that runs it. */
import { resolve } from 'node:path';
import type { SharedValues } from '#core/cli/shared-options.ts';
import type { Environment } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { dataFolder } from '../config/data-folder.ts';
import { readEnvFile } from '../config/env-file.ts';
import { findRoot } from '../config/installation.ts';
import { type ServedSettings, servedSettings } from '../running-server.ts';
import { becomeOwner } from './owner.ts';

/** The option that every command takes. */
export const ENV_FILE = 'env-file';

const SERVERS: readonly string[] = ['read', 'serve'];

/**
 * The settings for a command: the environment, then `--env-file`, then those of the server on the data folder. Only
 * commands that start a server ignore that one.
 *
 * Root becomes the owner of the data folder first. So a file that the board's user names in the folder is read with
 * that user's rights, and only `--env-file` is read with those of root.
 */
export function settingsFor(
  name: string,
  keepsUser: boolean,
  shared: SharedValues,
): ServedSettings {
  const environment = { ...givenIn(shared), ...process.env };
  const root = findRoot();
  if (!keepsUser) becomeOwner(dataFolder(environment, root), root);
  if (SERVERS.includes(name)) return { environment, server: null, unknown: [], unread: null };
  return servedSettings(environment);
}

/** The variables in the file of `--env-file`, and its path for the note of the server. */
function givenIn({ [ENV_FILE]: file }: SharedValues): Environment {
  if (file === undefined) return {};
  const path = resolve(file);
  try {
    return { ...readEnvFile(path), OPBENCH_ENV_FILE: path };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`--${ENV_FILE}: ${error.message}`);
  }
}
