import type { Server } from 'node:http';
import type { Requests } from './requests.ts';

/** How often it is looked which connections have nothing to do any more, in milliseconds. */
const LOOK_MS = 50;

/**
 * Takes no new connections, lets what is being answered finish, and closes what does nothing. What takes
 * longer than the grace is cut off.
 */
export async function drain(server: Server, requests: Requests, graceMs: number): Promise<void> {
  if (!server.listening) return;
  requests.end();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const look = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(look);
  clearTimeout(cut);
}
