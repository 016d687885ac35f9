/**
 * Replaces the runtime module of the MCP SDK in the build. This server never asks a client for input, so the large
 * validator for such answers is left out.
 *
 * @module
 */
export { default as process } from 'node:process';

/** Replaces the SDK's validator of JSON Schema. */
export class DefaultJsonSchemaValidator {
  /** @throws {Error} always. */
  getValidator(): never {
    throw new Error('This server does not ask for input, so it cannot validate any');
  }
}
