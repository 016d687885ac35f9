import { type Config, type Environment, SETTING_NAMES, readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { ObjectStoreConfig } from './object-store-config.ts';

/** The settings of a machine that only reads. All others come from the object store. */
const READER_SETTINGS: readonly string[] = [
  ...SETTING_NAMES.filter((name) => name.startsWith('OBJECT_STORE_')),
  ...['HOST', 'LOG_REQUESTS', 'METRICS_LISTEN', 'PORT', 'TRUST_PROXY', 'WRITER_URL'],
];

/** A reader may listen on any address, because its public address comes from the object store. */
export const ANY_ADDRESS = { BASE_URL: 'http://reader.invalid' };

export type ReaderConfig = Config & { objectStore: ObjectStoreConfig };

/**
 * Reads the settings of a reader from an environment. Others have no effect.
 *
 * @throws {ConfigError} naming every invalid setting.
 */
export function readReaderConfig(environment: Environment): ReaderConfig {
  const given = SETTING_NAMES.filter((name) => (environment[name] ?? '') !== '');
  const own = given.filter((name) => READER_SETTINGS.includes(name));
  const settings = Object.fromEntries(own.map((name) => [name, environment[name]]));
  const config = readConfig({ ...settings, ...ANY_ADDRESS });
  const { objectStore } = config;
  if (objectStore === null) {
    throw new ConfigError('OBJECT_STORE_URL: must be set to the object store of the board');
  }
  const idle = given.filter((name) => !own.includes(name) && name !== 'DATA_DIR');
  const idleSettings = idle.map((name) => `${name} (a reader takes it from the board)`);
  return { ...config, baseUrl: null, objectStore, idleSettings };
}
