// The load generator: raw keep-alive sockets with one request at a time, so that it costs less than the server
// that it measures. It runs in the benchmark's process; servers are child processes.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const HEAD_END = Buffer.from('\r\n\r\n');
const RECEIVE_BYTES = 128 * 1024;

/** The bytes of a request. */
export function requestBytes(url, path, { method = 'GET', headers = {}, body = '' } = {}) {
  const { host } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => {
    return `${name}: ${value}\r\n`;
  });
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`);
}

/**
 * Keeps `connections` sockets busy until `next()` has no request left. Returns the requests per second, the
 * latencies in milliseconds, and how busy the generator itself was, from 0 to 1.
 *
 * @throws if a response has another status than `status`.
 */
export async function generateLoad({ url, connections, next, status }) {
  const { hostname, port } = new URL(url);
  const latencies = [];
  const utilization = performance.eventLoopUtilization();
  const startedMs = performance.now();
  const sockets = Array.from({ length: connections }, () =>
    keepBusy({ host: hostname, port: Number(port) }, { next, status, latencies }),
  );
  await Promise.all(sockets);
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    rate: latencies.length / seconds,
    latencies,
    generatorBusy: performance.eventLoopUtilization(utilization).utilization,
  };
}

/** Returns the same request until the time is up. */
export function repeat(bytes, durationMs) {
  const endMs = performance.now() + durationMs;
  return () => (performance.now() < endMs ? bytes : null);
}

/** Sends requests over a socket one after the other. */
function keepBusy(address, { next, status, latencies }) {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    let missing = 0;
    const send = () => {
      const bytes = next();
      if (bytes === null) return void socket.end(resolve);
      sentMs = performance.now();
      socket.write(bytes);
    };
    const receive = (length, buffer) => {
      missing = missing > 0 ? missing - length : missingAfter(buffer.subarray(0, length), status);
      if (missing > 0) return;
      latencies.push(performance.now() - sentMs);
      send();
    };
    const callback = (length, buffer) => {
      try {
        receive(length, buffer);
      } catch (error) {
        socket.destroy(error);
      }
      return true;
    };
    // One buffer for all data, because it is counted and not kept.
    const onread = { buffer: Buffer.allocUnsafe(RECEIVE_BYTES), callback };
    const socket = connect({ ...address, noDelay: true, onread });
    socket.on('connect', send);
    socket.on('error', reject);
  });
}

/** The number of bytes of a response after its first chunk, which contains the head. */
function missingAfter(chunk, status) {
  const headEnd = chunk.indexOf(HEAD_END);
  const head = chunk.latin1Slice(0, headEnd + 2);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (Number(head.slice(9, 12)) !== status || length === undefined) {
    throw new Error(
      `Not a response with status ${status} and a length:\n${chunk.toString('latin1', 0, 1000)}`,
    );
  }
  return headEnd + HEAD_END.length + Number(length) - chunk.length;
}
