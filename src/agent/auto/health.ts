/** Checks whether the timer works. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../device.ts';
import { EXIT, orNull } from '../failure.ts';
import { type FindingReport, problem, typedFindings, warning } from '../finding.ts';
import { TimerRun, type TimerReport } from '../device-reports.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { outcomeOf, timerText } from '../text/auto.ts';
import { durationText } from '../text/figures.ts';
import { readJsonLines, readText, writePrivate } from '../state/atomic-file.ts';
import { type Setting, TIMERS, readSetting } from './switch.ts';

/** Without a successful run for this long, the timer does not work. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** The state of the timer, as `--json` prints it. */
export type AutoReport = TimerReport & { findings: FindingReport[] };

const ON_AGAIN = 'To install it again: opbench auto on';

/** The state of the timer from our own files, without asking the system. */
export function autoHealth({ environment, nowMs }: Pick<Place, 'environment' | 'nowMs'>) {
  const setting = readSetting(environment);
  const runs = loggedRuns(environment);
  const last = runs.at(-1) ?? null;
  const good = runs.findLast(({ exit, skipped }) => exit === EXIT.ok && !skipped) ?? null;
  if (setting === null) return { setting, last, good, findings: [] };
  const findings = [...goneFindings(setting), ...staleFindings(setting, last, good, nowMs())];
  return { setting, last, good, findings };
}

export function autoReport(place: Place): AutoReport {
  const { environment } = place;
  const { setting, last, good, findings } = autoHealth(place);
  const { timer, node, file, since } = setting ?? OFF;
  return {
    state: setting === null ? 'off' : 'on',
    timer,
    node,
    file,
    since,
    log: runLogPath(environment),
    last_run: last,
    last_good_at: good?.at ?? null,
    findings: typedFindings(place, [...findings, ...systemFindings(environment, setting)]),
  };
}

const OFF = { timer: null, node: null, file: null, since: null };

function goneFindings({ node, file }: Setting): FindingReport[] {
  return [node, file]
    .filter((path) => !existsSync(path))
    .map((path) => problem(EXIT.usage, `The timer runs ${path}, which does not exist`, ON_AGAIN));
}

function staleFindings(
  { since }: Setting,
  last: TimerRun | null,
  good: TimerRun | null,
  nowMs: number,
): FindingReport[] {
  const lastGoodMs = Math.max(Date.parse(since), Date.parse(good?.at ?? since));
  const isBad = last !== null && (last.skipped || last.exit !== EXIT.ok);
  const why = isBad ? `: ${outcomeOf(last)}` : '';
  if (nowMs - lastGoodMs > STALE_MS) {
    const length = durationText(nowMs - lastGoodMs);
    const text = `The timer has not run ${isBad ? 'successfully ' : ''}for ${length}${why}`;
    return [problem(EXIT.usage, text, 'To see what is wrong: opbench auto run')];
  }
  if (last === null || last.exit === EXIT.ok) return [];
  return [warning(`The last run of the timer failed${why}`, 'It runs again within 6 hours.')];
}

function systemFindings(environment: Environment, setting: Setting | null): FindingReport[] {
  return TIMERS.flatMap((timer) => {
    const { name } = timer;
    // Null if unknown.
    const isSet = orNull(() => timer.isSet(environment));
    if (name !== setting?.timer) {
      if (!isSet) return [];
      const text = `There is a ${timerText(name)} timer for opbench that this state folder does not know`;
      return [warning(text, ON_AGAIN)];
    }
    if (isSet === false)
      return [problem(EXIT.usage, `The ${timerText(name)} timer no longer exists`, ON_AGAIN)];
    if (orNull(() => timer.isHeeded(environment)) !== false) return [];
    const text = `The timer is installed, but ${timerText(name)} does not run it`;
    return [problem(EXIT.usage, text, ON_AGAIN)];
  });
}

/** The highest number of lines: four months of runs. */
const KEPT_LINES = 500;

export function runLogPath(environment: Environment): string {
  return join(stateFolder(environment), 'auto.ndjson');
}

export function logRun(environment: Environment, run: TimerRun): void {
  const path = runLogPath(environment);
  const lines = [...linesIn(path), JSON.stringify(run)].slice(-KEPT_LINES);
  writePrivate(path, `${lines.join('\n')}\n`);
}

/** The logged runs, oldest first. Unreadable lines are skipped. */
function loggedRuns(environment: Environment): TimerRun[] {
  return readJsonLines(runLogPath(environment), TimerRun);
}

function linesIn(path: string): string[] {
  return (readText(path) ?? '').split('\n').filter((line) => line !== '');
}
