import { isDataLocked } from '#db/engine/data-lock.ts';
import { type Config, listenUrl } from '#server/config/config.ts';
import { probeUrl } from '#server/identity/sign-in/probe-url.ts';
import { staleAfterMs } from '#server/health.ts';
import { lastServerNote } from '#server/server-note.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const { ok, warning, problem } = checksOf('server');
const publication = checksOf('publication');

/** Checks whether a server runs on the data folder, and asks it for its health. */
export async function serverChecks(config: Config) {
  if (!isDataLocked(config.dataDir)) return { isRunning: false, checks: [notRunning(config)] };
  if (config.port === 0) {
    const text = 'the board is running, but its health is unknown because PORT is 0';
    return { isRunning: true, checks: [ok(text)] };
  }
  const address = `${reachableUrl(config)}/readyz`;
  const answer = await probeUrl(address);
  if (answer === null) {
    const text = `a process uses the data folder, but there is no response from ${address}`;
    const advice =
      'Set the HOST and PORT of the server for this command, too. If they are right, read the log of the server and restart it.';
    return { isRunning: true, checks: [problem(text, advice)] };
  }
  return { isRunning: true, checks: readiness(answer.status, answer.text, address) };
}

/** A server deletes its note when it stops. A note that is left means that the server crashed. */
function notRunning({ dataDir }: Config): DoctorCheck {
  const text = 'the board is not running';
  const note = lastServerNote(dataDir);
  if (note === null) return warning(text, 'Start it: opbench-board serve');
  const server = `the last server (process ${note.pid}, started ${note.started_at})`;
  const why = `${server} ended unexpectedly, for example in a crash or a power failure`;
  const advice = 'Read the end of its log, then start it again: opbench-board serve';
  return warning(`${text}: ${why}`, advice);
}

function readiness(status: number, text: string, address: string): DoctorCheck[] {
  const reasons = reasonsIn(text);
  if (reasons === null) {
    const advice = 'Set the HOST and PORT of the server for this command, too.';
    return [problem(`the server at ${address} is not an Opbench board`, advice)];
  }
  const advice = 'Read the log of the server for details.';
  if (status === 200 && reasons.length === 0)
    return [ok(`the board is running and ready (${address})`)];
  return reasons.map((reason) => (status === 200 ? warning : problem)(reason, advice));
}

/** The reasons why a board is not ready; null if the response is not from a board. */
function reasonsIn(text: string): string[] | null {
  try {
    const { status, reasons } = JSON.parse(text) as { status?: unknown; reasons?: unknown };
    if (typeof status !== 'string' || !Array.isArray(reasons)) return null;
    return reasons.map(String);
  } catch {
    return null;
  }
}

/** The URL of the server on this machine, also if it listens on all addresses. */
export function reachableUrl({ host, port }: Config): string {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return listenUrl({ host: own }, port);
}

export function publicationChecks(
  { refreshMs }: Config,
  publishedAt: string | null,
  isRunning: boolean,
): DoctorCheck[] {
  if (publishedAt === null) {
    if (!isRunning) return [];
    return [
      publication.warning(
        'the board has not been published yet',
        'Wait a minute. If this stays, read the log of the server.',
      ),
    ];
  }
  const ageMs = Date.now() - Date.parse(publishedAt);
  const text = `the board was last updated ${durationText(ageMs)} ago`;
  const isLate = isRunning && ageMs > staleAfterMs(refreshMs);
  if (!isLate) return [publication.ok(text)];
  const every = durationText(refreshMs);
  return [
    publication.warning(
      `${text}, but an update is due every ${every}`,
      'Read the log of the server for the reason.',
    ),
  ];
}
