import { type Config, listenUrl } from '#server/config/config.ts';
import { probeUrl } from '#server/identity/sign-in/probe-url.ts';
import { staleAfterMs } from '#server/health.ts';
import { isLocked, lastServerNote } from '#server/running-server.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const { ok, warning, problem } = checksOf('server');
const publication = checksOf('publication');

/** Whether a board runs on the data folder, and what it says of itself. */
export async function serverChecks(config: Config) {
  if (!isLocked(config.dataDir)) return { isRunning: false, checks: [notRunning(config)] };
  if (config.port === 0) {
    const text = 'the board is running; PORT is 0, so that it cannot be asked how it is';
    return { isRunning: true, checks: [ok(text)] };
  }
  const address = `${reachableUrl(config)}/readyz`;
  const answer = await probeUrl(address);
  if (answer === null) {
    const text = `a process has the data folder, but does not answer at ${address}`;
    const advice =
      'Give this command the HOST and PORT of the board; else look at its log, and start it again';
    return { isRunning: true, checks: [problem(text, advice)] };
  }
  return { isRunning: true, checks: readiness(answer.status, answer.text, address) };
}

/** A server takes its note away when it stops: one that is left tells of a server that did not. */
function notRunning({ dataDir }: Config): DoctorCheck {
  const text = 'the board is not running';
  const note = lastServerNote(dataDir);
  if (note === null) return warning(text, 'Start it: opbench-board serve');
  const server = `its server (process ${note.pid}, started ${note.started_at})`;
  const why = `${server} ended without stopping, as after a crash, a kill or a power failure`;
  const advice = 'Look at the end of its log, and start it: opbench-board serve';
  return warning(`${text}: ${why}`, advice);
}

function readiness(status: number, text: string, address: string): DoctorCheck[] {
  const told = reasonsIn(text);
  if (told === null) {
    const advice = 'Give this command the HOST and PORT of the board';
    return [problem(`what answers at ${address} is no board`, advice)];
  }
  const advice = 'Its log says more';
  if (status === 200 && told.length === 0)
    return [ok(`the board is running, and ready at ${address}`)];
  return told.map((reason) => (status === 200 ? warning : problem)(reason, advice));
}

/** Null if it is not what a board answers. */
function reasonsIn(text: string): string[] | null {
  try {
    const { status, reasons } = JSON.parse(text) as { status?: unknown; reasons?: unknown };
    if (typeof status !== 'string' || !Array.isArray(reasons)) return null;
    return reasons.map(String);
  } catch {
    return null;
  }
}

/** Where a server that listens everywhere is reached from its own machine. */
function reachableUrl({ host, port }: Config): string {
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
      publication.warning('nothing was published yet', 'Wait; the log of the board says more'),
    ];
  }
  const ageMs = Date.now() - Date.parse(publishedAt);
  const text = `the last was ${durationText(ageMs)} ago`;
  const isLate = isRunning && ageMs > staleAfterMs(refreshMs);
  if (!isLate) return [publication.ok(text)];
  const every = durationText(refreshMs);
  return [
    publication.warning(`${text}, and one is due every ${every}`, 'The log of the board says why'),
  ];
}
