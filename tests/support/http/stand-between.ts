/** A proxy between devices and a board: it records requests, and can delay, lose or answer them. */
import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as ask,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenOver } from '../board/cleanup.ts';

/** A device's request. */
export interface AskedBoard {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * What happens to a request. All but `lose_request` reach the board, and the response is returned only with `pass`.
 * `hold_answer` leaves the device waiting, the others break the connection.
 */
export type Fate = 'pass' | 'lose_request' | 'lose_answer' | 'hold_answer';

export interface StandBetween {
  url: string;
  asked: AskedBoard[];
  /** The number of the board's responses. */
  answered(): number;
  /** Where the board is. */
  forwardTo(url: string): void;
  /** Decides about each request. All pass until it is set. It may do something first. */
  decide(fate: (asked: AskedBoard) => Fate | Promise<Fate>): void;
  /** Responds itself, unless `answer` returns null. */
  replace(answer: (asked: AskedBoard) => Response | null): void;
}

/** Starts on its own port. Closed after the test, or after the file that shares it. */
export async function aStandBetween(): Promise<StandBetween> {
  const asked: AskedBoard[] = [];
  let answers = 0;
  let board = '';
  let fateOf: (one: AskedBoard) => Fate | Promise<Fate> = () => 'pass';
  let ownAnswer: (one: AskedBoard) => Response | null = () => null;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bytesOf(incoming);
    const { method = '', url: path = '', headers, socket } = incoming;
    const one = { method, path, headers, body: body.toString('utf8') };
    asked.push(one);
    const own = ownAnswer(one);
    if (own) {
      const bytes = Buffer.from(await own.arrayBuffer());
      return void outgoing.writeHead(own.status, Object.fromEntries(own.headers)).end(bytes);
    }
    const fate = await fateOf(one);
    if (fate === 'lose_request') return void socket.resetAndDestroy();
    const sent = ask(`${board}${path}`, { method, headers }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await bytesOf(answer);
    answers += 1;
    if (fate === 'lose_answer') socket.resetAndDestroy();
    if (fate === 'pass') outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answered: () => answers,
    forwardTo: (url) => void (board = url),
    decide: (fate) => void (fateOf = fate),
    replace: (answer) => void (ownAnswer = answer),
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
