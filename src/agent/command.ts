/** What a command of `opbench` is, and where its words go. */
import { type Options, type UsageError, wholeNumber } from '#core/cli/arguments.ts';
import type { Action, Answers, Command as AnyCommand, Terminal } from '#core/cli/program.ts';
import type { LocalDevice, Place } from './device.ts';
import { EXIT, Failure } from './failure.ts';

/**
 * Says how far something is, in words that the next ones replace.
 *
 * @param isNews Whether a line stays of it where there is no terminal, because work then seems to stand still.
 */
export type Progress = (text: string, isNews?: boolean) => void;

export interface Screen extends Terminal {
  /** Says how far it is in one line, on a terminal; elsewhere only what is news. */
  progress: Progress;
  /** Takes the line of {@linkcode progress} away. */
  done(): void;
  /** The text in bold where results go to a terminal that wants it. */
  strong(text: string): string;
}

export type AgentOutput = Answers & Screen;
export type AgentCommand = AnyCommand<Place, Screen>;

/** A command; one that needs neither key nor board takes a {@linkcode Place}. */
export function command<const Taken extends Options, Needs extends Place = LocalDevice>(
  definition: { help: string } & Action<Needs, Screen, Taken>,
): AgentCommand {
  return definition;
}

/** The option `--days`: ten years at most. */
export function daysFrom(least: number) {
  return wholeNumber(least, 3660);
}

export function usageFailure({ message, advice }: UsageError, name: string): Failure {
  if (name === '') {
    const hint = [advice, 'opbench --help lists the commands.'].filter(Boolean).join(' ');
    return new Failure(EXIT.usage, message, hint);
  }
  return new Failure(EXIT.usage, message, advice && `${advice}: opbench ${name} --help`);
}
