import { type Finding, counted, problem, warning } from '#core/cli/findings.ts';
import { EXIT } from '../command.ts';

/** What was found out about one thing. */
export interface DoctorCheck extends Finding {
  /** What was looked at, in a word or two. */
  about: string;
}

/** What is found out about one thing. */
export function checksOf(about: string) {
  const ok = (text: string): DoctorCheck => ({
    about,
    severity: 'ok',
    exit: EXIT.ok,
    text,
    advice: '',
  });
  return {
    ok,
    warning: (text: string, advice = ''): DoctorCheck => ({ about, ...warning(text, advice) }),
    problem: (text: string, advice = ''): DoctorCheck => ({
      about,
      ...problem(EXIT.refused, text, advice),
    }),
  };
}

/** What kept something from being looked at, in the words of the system. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** How long something is, in its largest whole unit. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [size, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  return counted(Math.round(seconds / size), unit);
}
