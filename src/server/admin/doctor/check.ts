import { type Finding, counted, problem, warning } from '#core/cli/findings.ts';
import { EXIT } from '../command.ts';

/** The result of one check of `doctor`. */
export interface DoctorCheck extends Finding {
  /** The subject, in a word or two. */
  about: string;
}

/** Functions that make results about one subject. */
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

/** The message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** A duration in its largest unit of at least 2, such as "3 hours". */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [size, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  return counted(Math.round(seconds / size), unit);
}
