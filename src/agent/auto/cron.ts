/** A line in the user's crontab. All other lines are preserved byte for byte. */
import { EXIT, Failure } from '../failure.ts';
import type { Environment } from '../settings.ts';
import { type Job, type Timer, runProgram, timesOf } from './timer.ts';

/** Marks our line. A comment to the shell. */
const MARK = '# opbench auto on';
/** Some versions of cron cut a command off after 998 characters. */
const MAX_LINE = 990;

export const cron: Timer = {
  name: 'cron',
  isUsable(environment) {
    try {
      return readTable(environment) !== null;
    } catch {
      return false;
    }
  },
  isSet: (environment) => (readTable(environment) ?? []).some(isOurs),
  isHeeded: () => null,
  set(environment, job, spread) {
    const others = (readTable(environment) ?? []).filter((line) => !isOurs(line));
    // First, so that settings in other lines, such as SHELL, do not apply to it.
    writeTable(environment, [lineOf(job, spread), ...others]);
  },
  unset(environment) {
    const lines = readTable(environment);
    if (lines === null) throw noCrontab();
    const others = lines.filter((line) => !isOurs(line));
    if (others.length === lines.length) return false;
    writeTable(environment, others);
    return true;
  },
};

function lineOf({ node, file, variables }: Job, spread: number): string {
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
  const command = [...assigned, quoted(node), quoted(file), 'auto run'].join(' ');
  // cron ends the command at an unescaped percent sign.
  const escaped = `${command} >/dev/null 2>&1 ${MARK}`.replaceAll('%', String.raw`\%`);
  const { minute, hours } = timesOf(spread);
  const line = `${minute} ${hours.join(',')} * * * ${escaped}`;
  if (Buffer.byteLength(line) <= MAX_LINE) return `${bytesOf(line)}\n`;
  const message = 'The line for cron would be too long, because of long paths or variables';
  throw new Failure(EXIT.usage, message, 'Set up your own timer that runs "opbench submit".');
}

function noCrontab(): Failure {
  const message = 'crontab is not on the PATH, so the timer may still be in your crontab';
  const hint = 'Run "opbench auto off" again with crontab on the PATH.';
  return new Failure(EXIT.usage, message, hint);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Our command at any time of day, since people may change that. The mark alone is not enough. */
const OURS = (() => {
  const word = String.raw`'[^']*'(?:\\''[^']*')*`;
  const times = String.raw`[\d*][^\s#]*(?:\s+[^\s#]+){4}`;
  const command = String.raw`(?:\w+=${word} )*${word} ${word} auto run >/dev/null 2>&1 ${MARK}`;
  return new RegExp(String.raw`^\s*${times}\s+${command}\s*$`);
})();

function isOurs(line: string): boolean {
  return OURS.test(line);
}

/** The lines with their line ends, one character for each byte. Null if there is no cron. */
function readTable(environment: Environment): string[] | null {
  const ended = runProgram(environment, ['crontab', '-l']);
  if (ended === null) return null;
  const isEmpty = /no crontab|no such file/i.test(ended.complaint);
  // Mistaking an error for an empty crontab would delete the user's lines.
  if (ended.status !== 0 && !isEmpty) {
    throw new Failure(EXIT.usage, `The crontab cannot be read: ${ended.complaint}`);
  }
  const text = ended.status === 0 ? ended.stdout.toString('latin1') : '';
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

function writeTable(environment: Environment, lines: readonly string[]): void {
  const words = lines.length > 0 ? ['crontab', '-'] : ['crontab', '-r'];
  const ended = runProgram(environment, words, Buffer.from(lines.join(''), 'latin1'));
  if (ended?.status === 0) return;
  const why = ended?.complaint ?? 'crontab was not found';
  throw new Failure(EXIT.usage, `The crontab cannot be written: ${why}`, 'It was not changed.');
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
