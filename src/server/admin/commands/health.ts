import { ANY_ADDRESS } from '#server/config/reader-config.ts';
import { probeUrl } from '#server/identity/sign-in/probe-url.ts';
import { readServedConfig } from '#server/running-server.ts';
import { EXIT, command } from '../command.ts';
import { reachableUrl } from '../doctor/server.ts';

/** With the time that the program needs to start, health takes less than 5 seconds. */
const TIMEOUT_MS = 4_000;

export const health = command({
  help: `opbench-board health: ask the running board whether it is alive

Usage: opbench-board health [--json]

  --json  print JSON

health requests /healthz from the board on this machine and prints one line. It
takes at most 5 seconds. Use it for the health checks of containers and
supervisors. "opbench-board doctor" checks far more.

Exit codes: 0 the board is alive, 3 it does not respond.

Example: opbench-board health
`,
  json: `opbench-board health --json prints one object:

  healthy  whether the board is alive
  url      the address that was requested
  status   the HTTP status, or null if there was no response
`,
  async run(_given, output, settings) {
    // A reader has no BASE_URL, and this needs none.
    const BASE_URL = settings.environment['BASE_URL'] || ANY_ADDRESS.BASE_URL;
    const environment = { ...settings.environment, BASE_URL };
    const url = `${reachableUrl(readServedConfig({ ...settings, environment }))}/healthz`;
    const answer = await probeUrl(url, TIMEOUT_MS);
    const status = answer?.status ?? null;
    const healthy = status === 200 && isOk(answer?.text ?? '');
    output.result({ healthy, url, status }, textOf(url, status, healthy));
    return healthy ? EXIT.ok : EXIT.refused;
  },
});

function isOk(text: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}

function textOf(url: string, status: number | null, healthy: boolean): string {
  if (healthy) return `The board is alive: ${url}`;
  if (status === null) return `The board does not respond: ${url}`;
  return `The response is not from a healthy board (status ${status}): ${url}`;
}
