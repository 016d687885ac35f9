/** A receiver of webhooks on loopback. */
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
}

export interface Receiver {
  url: string;
  /** What was received, oldest first. */
  requests: ReceivedRequest[];
  /** The replies to the next requests, then 204. `never` keeps the request open. */
  replies: (Reply | 'never')[];
}

/** Closed after the test. */
export async function aReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const replies: Receiver['replies'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      requests.push({ method, path, headers: headers as Record<string, string>, body });
      const reply = replies.shift() ?? { status: 204 };
      if (reply !== 'never') response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, requests, replies };
}

export function loopback(): BlockList {
  const networks = new BlockList();
  networks.addSubnet('127.0.0.0', 8, 'ipv4');
  return networks;
}
