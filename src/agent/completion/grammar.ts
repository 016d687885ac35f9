/** What shells can complete, from the table of commands. */
import type { Option, Takes } from '#core/cli/arguments.ts';
import { COMMAND_NAMES, SUMMARIES } from '../command-names.ts';
import type { AgentCommand } from '../command.ts';

interface CompletedCommand {
  name: string;
  summary: string;
  options: CompletedOption[];
  /** The known words for each positional argument. */
  words: readonly (readonly string[])[];
}

interface CompletedOption {
  /** With dashes. */
  flag: string;
  hasValue: boolean;
  /** Known values. If there are none, a value may be anything, such as a file. */
  values: readonly string[];
}

export type CommandTable = Readonly<Record<string, () => Promise<AgentCommand>>>;
export type Grammar = readonly CompletedCommand[];

/** The grammar of all commands. */
export async function grammarOf(commands: CommandTable): Promise<Grammar> {
  return Promise.all(
    COMMAND_NAMES.map(async (name) => {
      const { options = {}, choices = [], isMute = false } = takesOf(await commands[name]?.());
      const completed = Object.entries(options).flatMap(([own, option]) =>
        completedOf(own, option),
      );
      const always = ['--help', ...(isMute ? [] : ['--json'])].map((flag) => {
        return { flag, hasValue: false, values: [] };
      });
      return {
        name,
        summary: SUMMARIES[name][1],
        options: [...completed, ...always],
        words: choices,
      };
    }),
  );
}

function takesOf(command: AgentCommand | undefined): Takes {
  return command && !('actions' in command) ? command : {};
}

function completedOf(name: string, option: Option): CompletedOption[] {
  if (typeof option === 'object') return [];
  const values = typeof option === 'function' ? (option.known ?? []) : [];
  return [{ flag: `--${name}`, hasValue: option !== 'flag', values }];
}
