/** Finds the server that runs on a data folder, and the settings with which it runs. */
import { resolve } from 'node:path';
import { isDataLocked } from '#db/engine/data-lock.ts';
import {
  type Config,
  type Environment,
  SETTING_NAMES,
  isSecret,
  readConfig,
} from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { dataFolder } from './config/data-folder.ts';
import { readEnvFile } from './config/env-file.ts';
import { findRoot, isCheckout, resolveSetting } from './config/installation.ts';
import { isRunning } from './process/atomic-file.ts';
import { type ServerNote, lastServerNote, lastSettingsFile } from './server-note.ts';

/** The settings of the server on a data folder, as far as a command can know them. */
export interface ServedSettings {
  environment: Environment;
  /** The note of the running server; null if none runs or its process is not visible. */
  server: ServerNote | null;
  /** The secret settings of the running server that are unknown. `environment` has placeholders for them. */
  unknown: readonly string[];
  /** Why the file with the settings of the last server cannot be read; null if it can, or there is none. */
  unread: string | null;
}

/** Values that make settings complete, so that a command works without the secrets of the server. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  AUTH_CLIENT_SECRET: 'unknown',
  GITHUB_CLIENT_SECRET: 'unknown',
  OBJECT_STORE_ACCESS_KEY_ID: 'unknown',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'unknown',
  SMTP_URL: 'smtp://unknown.invalid',
  TWITTER_CLIENT_SECRET: 'unknown',
};

/**
 * Completes an environment with the settings of the server on its data folder. The environment takes precedence, then
 * the file that the server read, if it is readable. The values in the note count only while the server runs, because
 * the next one may be started without them.
 */
export function servedSettings(own: Environment): ServedSettings {
  const root = findRoot();
  const dataDir = dataFolder(own, root);
  const server = runningServer(dataDir);
  const file = settingsFile(dataDir, root);
  const known = { ...server?.settings, ...file.values, ...own, DATA_DIR: dataDir };
  const unknown = (server?.secrets ?? []).filter((name) => !(name in known));
  const placeholders = unknown.map((name) => [name, PLACEHOLDERS[name]] as const);
  const environment = { ...Object.fromEntries(placeholders), ...known };
  return { environment, server, unknown, unread: file.unread };
}

/** The settings in the file of the last server. */
function settingsFile(dataDir: string, root: string) {
  const { env_file: path, cwd = '' } = lastSettingsFile(dataDir);
  if (typeof path !== 'string') return { values: {}, unread: null };
  try {
    const values = settingsIn(readEnvFile(path));
    const folder = values['BOARD_DIR'];
    if (folder && !isCheckout(root)) values['BOARD_DIR'] = resolve(cwd, folder);
    return { values, unread: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { values: {}, unread: error.message };
  }
}

function settingsIn(environment: Environment): Record<string, string> {
  const given = Object.entries(environment).filter(([name]) => SETTING_NAMES.includes(name));
  return Object.fromEntries(given) as Record<string, string>;
}

/** What a server writes into its note about its settings. */
export function notedSettings(environment: Environment, root: string) {
  const given = Object.entries(settingsIn(environment)).filter(([name, value]) => {
    return value !== '' && name !== 'DATA_DIR';
  });
  const settings = Object.fromEntries(given.filter((each) => !isSecret(...each)));
  const folder = settings['BOARD_DIR'];
  if (folder !== undefined) settings['BOARD_DIR'] = resolveSetting(folder, root);
  return { settings, secrets: given.map(([name]) => name).filter((name) => !(name in settings)) };
}

/**
 * Returns the configuration for the settings, with the address of the running server. A BASE_URL in the settings takes
 * precedence.
 */
export function readServedConfig({ environment, server }: ServedSettings): Config {
  const config = readConfig(environment);
  if (server === null) return config;
  const { host, port, base_url } = server;
  return { ...config, host, port, baseUrl: config.baseUrl ?? base_url };
}

/**
 * Returns the note of the server that runs on a data folder, or null. A note counts only while its process exists and
 * the folder is locked.
 */
function runningServer(dataDir: string): ServerNote | null {
  const note = lastServerNote(dataDir);
  return note !== null && isRunning(note.pid) && isDataLocked(dataDir) ? note : null;
}
