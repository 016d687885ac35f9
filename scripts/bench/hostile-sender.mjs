// Sends one request again and again, on a connection each. As a process of its own (see hostile.mjs) it does so on
// several connections at a time until it is stopped, then prints how many answers had which status.
import { connect } from 'node:net';

/** The bytes of a request, for a client with this address behind the server's proxy. */
export function bytesOf(url, { method, path, headers, body = '' }, client) {
  const all = {
    Host: new URL(url).host,
    'X-Forwarded-For': client,
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n`,
    'latin1',
  );
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Sends bytes on a connection; resolves to the status of the answer once all of it is there, 0 if there is none. */
export function send(url, bytes) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 0;
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (chunk) => (status ||= Number(chunk.toString('latin1', 9, 12))));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(status));
    // Whoever ends its side before the answer is taken for gone.
    socket.write(bytes);
  });
}

if (process.send) {
  process.once('message', ({ url, request, client, connections }) => {
    const bytes = bytesOf(url, request, client);
    const statuses = {};
    let isOver = false;
    const keepSending = async () => {
      while (!isOver) {
        const status = await send(url, bytes);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const all = Array.from({ length: connections }, keepSending);
    process.once('message', async () => {
      isOver = true;
      await Promise.all(all);
      process.send(statuses);
      process.disconnect();
    });
  });
}
