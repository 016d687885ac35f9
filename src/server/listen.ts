import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from './config/operation-config.ts';
import { ConfigError } from './config/config-error.ts';

interface ListenOptions extends ListenAddress {
  /** The setting that sets the port. */
  setting?: string;
}

/**
 * Starts listening, and returns the port.
 *
 * @throws {ConfigError} if the address or port cannot be used.
 */
export async function listen(
  server: Server,
  { host, port, setting = 'PORT' }: ListenOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const fault = faultOf(error.code, setting);
      reject(fault === null ? error : new ConfigError(`Port ${port} on ${host} ${fault}`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function faultOf(code: string | undefined, setting: string): string | null {
  switch (code) {
    case 'EACCES':
      return `is reserved for root, and the board does not run as root. Set ${setting} to another port, and put a proxy in front of it.`;
    case 'EADDRINUSE':
      return `is in use. Stop the program that uses it, or set ${setting} to another port.`;
    case 'EADDRNOTAVAIL':
      return `cannot be used, because this machine does not have the address. Correct ${setting === 'PORT' ? 'HOST' : setting}.`;
    default:
      return null;
  }
}
