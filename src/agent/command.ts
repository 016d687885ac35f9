/** The type of a command of `opbench`, and its output. */
import { type Options, type UsageError, wholeNumber } from '#core/cli/arguments.ts';
import type { Action, Answers, Command as AnyCommand, Terminal } from '#core/cli/program.ts';
import type { LocalDevice, Place } from './device.ts';
import { EXIT, Failure } from './failure.ts';

/**
 * Shows progress in a line that the next call replaces.
 *
 * @param isNews Whether to print it as a line of its own if there is no terminal, for example before a long wait.
 */
export type Progress = (text: string, isNews?: boolean) => void;

export interface Screen extends Terminal {
  /** Shows progress on a terminal. Elsewhere only news is printed. */
  progress: Progress;
  /** Clears the progress line. */
  done(): void;
  /** The text in bold, if results go to a terminal that supports it. */
  strong(text: string): string;
}

export type AgentOutput = Answers & Screen;
export type AgentCommand = AnyCommand<Place, Screen>;

/** Defines a command. One that needs no key and no board takes a {@linkcode Place}. */
export function command<const Taken extends Options, Needs extends Place = LocalDevice>(
  definition: { help: string; json: string } & Action<Needs, Screen, Taken>,
): AgentCommand {
  return definition;
}

/** The option `--days`, up to ten years. */
export function daysFrom(least: number) {
  return wholeNumber(least, 3660);
}

export function usageFailure({ message, advice }: UsageError, name: string): Failure {
  if (name === '') {
    const hint = [advice, 'To list the commands: opbench --help'].filter(Boolean).join(' ');
    return new Failure(EXIT.usage, message, hint);
  }
  return new Failure(EXIT.usage, message, advice && `${advice}. For help: opbench ${name} --help`);
}
