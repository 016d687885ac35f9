/** A setting is invalid. The message names it and says what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
