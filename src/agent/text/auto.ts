import { plain } from '#core/domain/text/terminal-text.ts';
import type { TimerName, TimerRun, TimerReport } from '../device-reports.ts';
import { momentText, counted } from './figures.ts';
import { wrapped } from './table.ts';

/** The state of the timer, without findings. */
export function autoLines(auto: TimerReport): string[] {
  const { state, timer, since, file, log, last_run, last_good_at } = auto;
  const head =
    state === 'on' ? `on since ${momentText(since ?? '')}, by ${timerText(timer)}` : 'off';
  const runs = last_run
    ? [
        `last run ${runText(last_run)}`,
        `last successful run ${momentText(last_good_at ?? 'never')}`,
      ]
    : ['has not run yet'];
  const lines = state === 'on' || last_run ? [head, ...runs] : [head];
  const paths = state === 'on' ? [`runs ${plain(file ?? '')}`, `log  ${plain(log)}`] : [];
  return [...lines, ...paths].map((line) => wrapped(line, 2));
}

/** The name of a kind of timer in texts. */
export function timerText(name: TimerName | null): string {
  return name === 'task-scheduler' ? 'Task Scheduler' : String(name);
}

export function runText(run: TimerRun): string {
  return plain(`${momentText(run.at)}: ${outcomeOf(run)}`);
}

export function outcomeOf({ exit, skipped, message, boards }: TimerRun): string {
  if (skipped) return 'skipped, because another run was in progress';
  const [failed] = boards.filter((board) => board.exit !== 0);
  if (failed) {
    const board = failed.board ?? 'a board';
    const why = failed.message ?? `exit code ${failed.exit}`;
    return why.includes(board) ? why : `${board}: ${why}`;
  }
  if (exit !== 0) return message ?? `exit code ${exit}`;
  const records = boards.reduce((sum, board) => sum + board.records, 0);
  return records === 0 ? 'nothing new to send' : `${counted(records, 'daily count')} sent`;
}
