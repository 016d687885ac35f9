import { Console } from 'node:console';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Output } from '../command.ts';
import type { DeviceBy } from './call.ts';
import { serverOf } from './server.ts';

/** Serves on stdin and stdout until stdin ends. Nothing but the protocol is written to stdout. */
export async function serve(deviceBy: DeviceBy, { note }: Output): Promise<void> {
  globalThis.console = new Console(process.stderr, process.stderr);
  const log = (text: string) => note(`opbench mcp: ${text}`);
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  // A file that ends, as /dev/null does, may never be closed.
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  serveStdio(() => serverOf(deviceBy, log), {
    transport,
    onerror: ({ message }) => log(message),
  });
  await ended;
}
