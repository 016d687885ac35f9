/**
 * Sessions of Codex descend from each other: a fork replays its parent's counts, with new timestamps.
 * The same running total and response under one root are therefore one response, and the oldest
 * session has it. Where the parent's rollout is gone, the replayed beginning is left out.
 *
 * @module
 */
import type { LoggedResponse } from '../schema/usage.ts';
import { type CodexUsage, type Report, reportKey, uuidMs } from './codex-file.ts';
import { logNameOf } from './reader.ts';
import { loggedAs } from './responses.ts';

/** All usage of the rollouts, each response once. */
export function mergeLineages(files: readonly CodexUsage[]): LoggedResponse[] {
  const parents = parentsIn(files);
  const present = new Set(files.map(({ session }) => session.id));
  const seenByRoot = new Map<string, Set<string>>();
  const events: LoggedResponse[] = [];
  for (const { file, root } of eldestFirst(files, parents)) {
    const { parent, provider } = file.session;
    const isOrphan = parent !== '' && !present.has(parent);
    const start = isOrphan ? replayedReports(file) : 0;
    const counts = counterOf(file);
    const nameOf = namerOf(file);
    const seen = seenByRoot.get(root) ?? new Set<string>();
    seenByRoot.set(root, seen);
    for (const [index, report] of file.reports.entries()) {
      const key = reportKey(report);
      // What is left out is seen all the same: a fork of this fork replays it once more.
      const isNew = !seen.has(key) && index >= start && counts(report);
      seen.add(key);
      if (isNew) events.push(loggedAs(nameOf(report), { ...report, provider }));
    }
  }
  return events;
}

/**
 * Names a rollout's reports by the eldest session that the rollout itself tells of, so that a name does
 * not depend on which other rollouts are left. A count and the record that repeats it have one name:
 * which of them counts can change while a response is written.
 */
function namerOf({ path, session, ancestors }: CodexUsage): (report: Report) => string {
  const own = new Map([...ancestors, [session.id, session.parent]]);
  const { root } = rootOf(session.id, own);
  const isNamed = root !== path.toLowerCase();
  const lineage = logNameOf(root);
  return (report) => {
    const { total, last, timestampMs } = report;
    const name = total === '' ? reportKey(report) : `${total} ${last}`;
    return isNamed ? `${lineage}\n${name}` : `${lineage}\n${name} at ${timestampMs}`;
  };
}

/** Who descends from whom; what a session says of itself wins over what a replay says of it. */
function parentsIn(files: readonly CodexUsage[]): Map<string, string> {
  const replayed = files
    .flatMap(({ ancestors }) => ancestors)
    .filter(([, parent]) => parent !== '');
  const own = files.map(({ session }) => [session.id, session.parent] as const);
  return new Map([...replayed.sort(), ...own.sort()]);
}

interface Descendant {
  file: CodexUsage;
  root: string;
  depth: number;
}

/** Parents before their children, whole files before shorter copies of them. */
function eldestFirst(files: readonly CodexUsage[], parents: Map<string, string>): Descendant[] {
  return files
    .map((file) => ({ file, ...rootOf(file.session.id, parents) }))
    .sort(
      (a, b) =>
        a.depth - b.depth ||
        compareText(a.file.session.id, b.file.session.id) ||
        b.file.reports.length - a.file.reports.length ||
        compareText(a.file.path, b.file.path),
    );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The topmost ancestor, and how far up it is. */
function rootOf(id: string, parents: Map<string, string>): { root: string; depth: number } {
  const line = new Set([id]);
  let root = id;
  for (let parent = parents.get(root); parent; parent = parents.get(root)) {
    if (line.has(parent)) break;
    line.add(parent);
    root = parent;
  }
  return { root, depth: line.size };
}

/** A replay is written at once: longer pauses come from a model at work. */
const REPLAY_PAUSE_MS = 1000;

/** How many reports at a fork's beginning are its ancestors'. */
function replayedReports({ session, reports, ancestors }: CodexUsage): number {
  const forkMs = uuidMs(session.id);
  const lastOfOlderTurn = reports.findLastIndex(
    ({ turnMs }) => forkMs !== null && turnMs !== null && turnMs < forkMs,
  );
  if (lastOfOlderTurn >= 0 || ancestors.length === 0) return lastOfOlderTurn + 1;

  let previousMs = session.startMs ?? -Infinity;
  const firstOwn = reports.findIndex(({ turnMs, timestampMs }) => {
    const isOwnTurn = forkMs !== null && turnMs !== null;
    const isOwn = isOwnTurn || timestampMs - previousMs >= REPLAY_PAUSE_MS;
    previousMs = timestampMs;
    return isOwn;
  });
  return firstOwn < 0 ? reports.length : firstOwn;
}

/**
 * Which reports of a file are usage. A `token_usage_record` repeats a `token_count`; it stands for
 * itself only if the file has no counts, or if it tells of a compaction that no count carries.
 */
function counterOf({ reports, compactions }: CodexUsage): (report: Report) => boolean {
  const counted = reports.filter(({ response_id }) => response_id === null);
  const totals = new Set(counted.map(({ total }) => total).filter(Boolean));
  const lasts = new Set(counted.map(({ last }) => last).filter(Boolean));
  const named = new Set(compactions);
  return ({ response_id, total, last }) => {
    if (response_id === null || counted.length === 0) return true;
    return named.has(response_id) && !totals.has(total) && !lasts.has(last);
  };
}
