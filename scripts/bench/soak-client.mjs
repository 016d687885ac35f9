// A client of the soak test (../soak.mjs), and a tally of its responses.
import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { quantile } from './lib.mjs';

/** The highest number of faults to describe. */
const MOST_TOLD = 20;

/** Counts responses by kind of request and status, and collects faults. */
export class Tally {
  counts = {};
  faults = [];
  faultCount = 0;
  #times = new Map();
  #latest = [];

  note(kind, outcome, ms) {
    const name = `${kind} ${outcome}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.#latest.push(ms);
    const times = this.#times.get(kind);
    if (times) times.push(ms);
    else this.#times.set(kind, [ms]);
  }

  fault(text) {
    this.faultCount += 1;
    if (this.faults.length < MOST_TOLD) this.faults.push(text);
  }

  get total() {
    return Object.values(this.counts).reduce((total, count) => total + count, 0);
  }

  /** The median and p99 of the response times since the last call, in milliseconds. */
  takeTimes() {
    const times = this.#latest;
    this.#latest = [];
    return times.length === 0 ? [0, 0] : [quantile(times, 0.5), quantile(times, 0.99)];
  }

  /** The response times of each kind, in milliseconds. */
  kinds() {
    return [...this.#times].map(([kind, times]) => {
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => Math.round(quantile(times, share)));
      return { kind, answers: times.length, 'p50 ms': p50, 'p99 ms': p99, 'most ms': most };
    });
  }
}

/** A client with keep-alive connections and many addresses, which counts its responses. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor({ url, tally, random }) {
    Object.assign(this, { url, tally, random });
  }

  /**
   * Sends a request and returns its response, or null if there is none. Statuses that are not in `expect` are faults,
   * and so is a missing response, unless the connection `mayBreak`.
   */
  async ask(kind, { path, headers, expect = [200], mayBreak = false, ...init }) {
    const startedMs = performance.now();
    const told = { 'X-Forwarded-For': addressOf(this.random), ...headers };
    const note = (outcome) => this.tally.note(kind, outcome, performance.now() - startedMs);
    try {
      const answer = await this.#send(path, { method: 'GET', ...init, headers: told });
      note(answer.status);
      if (!expect.includes(answer.status)) {
        const detail = answer.body.subarray(0, 300).toString();
        this.tally.fault(`${kind}, ${path}: ${answer.status} ${detail}`);
      }
      return answer;
    } catch (error) {
      note('none');
      if (!mayBreak) this.tally.fault(`${kind}, ${path}: no answer, ${error.message}`);
      return null;
    }
  }

  /** Posts JSON. */
  post(kind, path, value, { headers = {}, ...rest } = {}) {
    const type = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const body = JSON.stringify(value);
    return this.ask(kind, {
      path,
      method: 'POST',
      headers: { ...type, ...headers },
      body,
      ...rest,
    });
  }

  close() {
    this.#agent.destroy();
  }

  /** Sends a read again if its keep-alive connection had just been closed. */
  #send(path, { body, ...init }) {
    return new Promise((resolve, reject) => {
      const asked = request(this.url + path, { ...init, agent: this.#agent }, (response) => {
        response.toArray().then((chunks) => {
          const { statusCode: status, headers } = response;
          resolve({ status, headers, body: readable(Buffer.concat(chunks), headers) });
        }, reject);
      });
      asked.on('error', (error) => {
        const isRead = init.method === 'GET' && !asked.res;
        if (!asked.reusedSocket || error.code !== 'ECONNRESET' || !isRead) return reject(error);
        this.tally.note('connection', 'closed before a read', 0);
        resolve(this.#send(path, init));
      });
      asked.end(body);
    });
  }
}

function readable(body, headers) {
  return headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
}

/** One of 5,000 addresses of readers. */
export function addressOf(random) {
  const number = Math.floor(5000 * random());
  return `10.0.${Math.floor(number / 250)}.${number % 250}`;
}
