// Clients that occupy connections: with half a head, half a body, or a response that they do not read.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const CLIENTS = 30;
/** The longest time that each stays, in seconds. The board may end it earlier. */
const STAYS = 45;

const HALF_HEAD = 'GET / HTTP/1.1\r\nHost: board\r\nX-Slow: ';
const HALF_BODY = 'POST /api/v1/snapshots HTTP/1.1\r\nContent-Length: 100000\r\n';

/** Connects again and again. Each client sends a byte each second, or does not read a large response. */
export async function beSlow({ url, isOver, random }) {
  const { hostname, port, host } = new URL(url);
  const beginnings = [
    HALF_HEAD,
    `${HALF_BODY}Host: ${host}\r\nContent-Type: application/json\r\n\r\n{`,
    `GET /log.ndjson.gz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20),
  ];
  const stay = async (number) => {
    while (!isOver()) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(beginnings[number % beginnings.length]);
      await dripUntilEnd(socket, { isOver, seconds: STAYS * random(), drips: number % 3 < 2 });
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => stay(number)));
}

async function dripUntilEnd(socket, { isOver, seconds, drips }) {
  const endMs = performance.now() + 1000 * seconds;
  while (performance.now() < endMs && !isOver() && !socket.destroyed) {
    if (drips) socket.write('x');
    await pause(1000);
  }
}
