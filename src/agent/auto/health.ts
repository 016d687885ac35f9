/** Whether the timer does what it was set for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../device.ts';
import { EXIT, orNull } from '../failure.ts';
import { type FindingReport, problem, typedFindings, warning } from '../finding.ts';
import { TimerRun, type TimerReport } from '../device-reports.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { outcomeOf } from '../text/auto.ts';
import { durationText } from '../text/figures.ts';
import { readJsonLines, readText, writePrivate } from '../state/atomic-file.ts';
import { type Setting, TIMERS, readSetting } from './switch.ts';

/** A timer of 6 hours that brought nothing for so long does not work. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** What is known of the timer; `--json` prints it. */
export type AutoReport = TimerReport & { findings: FindingReport[] };

const ON_AGAIN = 'Run: opbench auto on';

/** What can be told without asking the system. */
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
    .map((path) => problem(EXIT.usage, `The timer runs ${path}, which is gone`, ON_AGAIN));
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
    const text = `The timer has not run ${isBad ? 'well ' : ''}for ${length}${why}`;
    return [problem(EXIT.usage, text, 'Run: opbench auto run')];
  }
  if (last === null || last.exit === EXIT.ok) return [];
  return [warning(`The last run of the timer failed${why}`, 'It tries again within 6 hours.')];
}

function systemFindings(environment: Environment, setting: Setting | null): FindingReport[] {
  return TIMERS.flatMap((timer) => {
    const { name } = timer;
    // Null where that cannot be told.
    const isSet = orNull(() => timer.isSet(environment));
    if (name !== setting?.timer) {
      if (!isSet) return [];
      return [warning(`There is a timer of ${name} that this device knows nothing of`, ON_AGAIN)];
    }
    if (isSet === false) return [problem(EXIT.usage, `The timer of ${name} is gone`, ON_AGAIN)];
    if (timer.isHeeded(environment) !== false) return [];
    return [problem(EXIT.usage, `The timer is written, but ${name} does not run it`, ON_AGAIN)];
  });
}

/** How many lines are kept: four months of runs. */
const KEPT_LINES = 500;

export function runLogPath(environment: Environment): string {
  return join(stateFolder(environment), 'auto.ndjson');
}

export function logRun(environment: Environment, run: TimerRun): void {
  const path = runLogPath(environment);
  const lines = [...linesIn(path), JSON.stringify(run)].slice(-KEPT_LINES);
  writePrivate(path, `${lines.join('\n')}\n`);
}

/** The runs that were logged, oldest first; a line that cannot be read is left out. */
function loggedRuns(environment: Environment): TimerRun[] {
  return readJsonLines(runLogPath(environment), TimerRun);
}

function linesIn(path: string): string[] {
  return (readText(path) ?? '').split('\n').filter((line) => line !== '');
}
