import { type AgentCommand, command } from '../command.ts';
import { type CommandTable, grammarOf } from '../completion/grammar.ts';
import { SCRIPTS, SHELLS } from '../completion/scripts.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';

/** @param commands The table of commands, which includes this one. */
export function completionOf(commands: CommandTable): AgentCommand {
  return command({
    help: `opbench completion: print a script that completes commands in your shell

Usage: opbench completion bash | zsh | fish | powershell [--json]

Save it where your shell looks for completions, once and after each update:

  bash        opbench completion bash > \\
                ~/.local/share/bash-completion/completions/opbench
  zsh         opbench completion zsh > "\${fpath[1]}/_opbench"
  fish        opbench completion fish > ~/.config/fish/completions/opbench.fish
  powershell  add this line to your profile:
              opbench completion powershell | Out-String | Invoke-Expression

Example: opbench completion fish
`,
    json: `opbench completion --json prints one object:

  shell   bash, zsh, fish or powershell
  script  the script
`,
    words: 1,
    choices: [SHELLS],
    async run({ word }, output, _place: Place) {
      const shell = SHELLS.find((name) => name === word);
      if (shell === undefined) {
        const message = `completion needs a shell: ${SHELLS.join(', ')}`;
        throw new Failure(EXIT.usage, message, 'For example: opbench completion bash');
      }
      const script = SCRIPTS[shell](await grammarOf(commands));
      output.result({ shell, script }, script);
      return EXIT.ok;
    },
  });
}
