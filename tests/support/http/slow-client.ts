/** A client that sends any bytes, at any pace, and reads only when told to. */
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SlowClient {
  socket: Socket;
  /** The bytes received so far, one character for each. */
  received(): string;
  /** The statuses of the responses so far. */
  statuses(): number[];
  /** Sends bytes unchanged. What the other side no longer accepts is lost. */
  send(bytes: string | Uint8Array): void;
  /** Waits until the other side ends the connection. Returns everything received. */
  closed(): Promise<string>;
}

/** Connects to a server. Errors of the connection are ignored. */
export async function aSlowClient(url: string, { reads = true } = {}): Promise<SlowClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  if (reads) socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([once(socket, 'connect'), over]);
  if (reads) socket.once('end', () => socket.end());
  return {
    socket,
    received: () => text,
    statuses: () => statusesIn(text),
    send: (bytes) => void (socket.writable && socket.write(bytes)),
    closed: () => over.then(() => text),
  };
}

/** The statuses of the responses in the received bytes. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/(?:^|[\n\]}>])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
    Number(status),
  );
}

/** The head of a request, and its body unchanged. */
export function aRequest(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const fields = Object.entries({ Host: 'board.example', ...headers });
  return `${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
