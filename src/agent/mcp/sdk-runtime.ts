/**
 * What the MCP SDK takes from its surroundings; the build puts this in the place of the SDK's own. This
 * server never asks a client for input, so that the large validator for such answers can be left out.
 *
 * @module
 */
export { default as process } from 'node:process';

/** Stands where a validator of JSON Schema would. */
export class DefaultJsonSchemaValidator {
  /** @throws {Error} always: there is nothing to validate. */
  getValidator(): never {
    throw new Error('This server asks for no input that it would have to validate');
  }
}
