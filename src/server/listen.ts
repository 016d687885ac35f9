import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';

const FAULTS: Readonly<Record<string, string>> = {
  EACCES:
    'is reserved for root, and the board does not run as root. Set PORT to another port, and put a proxy in front of it.',
  EADDRINUSE: 'is in use. Stop the program that uses it, or set PORT to another port.',
};

/**
 * Starts listening, and returns the port.
 *
 * @throws {ConfigError} if the port cannot be used.
 */
export async function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const fault = FAULTS[error.code ?? ''];
      reject(fault ? new ConfigError(`Port ${port} on ${host} ${fault}`) : error);
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
