/** Scripts that complete `opbench` in a shell. Everything in them is from our own table, so nothing needs quoting. */
import type { Grammar } from './grammar.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

export const SCRIPTS: Readonly<Record<Shell, (grammar: Grammar) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
};

const GENERAL = ['--help', '--version'];

/** Works with Bash 3.2, which macOS has. Without a known value, it completes files. */
function bash(grammar: Grammar): string {
  const values = grammar.flatMap(({ name, options }) =>
    options
      .filter(({ hasValue }) => hasValue)
      .map(({ flag, values }) => `    '${name} ${flag}') words='${values.join(' ')}' ;;`),
  );
  const commands = grammar.map(({ name, options, words }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    const places = words.map((known, at) => {
      return `[ "$COMP_CWORD" -ne ${at + 2} ] || words="${known.join(' ')} $words"`;
    });
    return [`      ${name})`, `words='${flags}'`, ...places, ';;'].join('\n        ');
  });
  return `# Completes opbench in Bash.
_opbench() {
  local words cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...grammar.map(({ name }) => name), ...GENERAL].join(' ')}'
  else
    case "\${COMP_WORDS[1]} $prev" in
${values.join('\n')}
    *)
      case \${COMP_WORDS[1]} in
${commands.join('\n')}
      esac
      ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _opbench opbench
`;
}

function zsh(grammar: Grammar): string {
  const commands = grammar.map(({ name, options, words }) => {
    const flags = options.map(({ flag, hasValue, values }) => {
      const known = values.length > 0 ? `(${values.join(' ')})` : '_files';
      return hasValue ? `'${flag}=:value:${known}'` : `'${flag}'`;
    });
    const places = words.map((known, at) => `'${at + 1}:word:(${known.join(' ')})'`);
    const others = words.length > 0 ? [] : [`'*:word:_files'`];
    return `    ${name}) _arguments ${[...flags, ...places, ...others].join(' ')} ;;`;
  });
  const names = grammar.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef opbench
# Completes opbench in Zsh.
_opbench() {
  local -a names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    compadd -- ${GENERAL.join(' ')}
    return
  fi
  shift words
  (( CURRENT -= 1 ))
  case $words[1] in
${commands.join('\n')}
  esac
}
if [ "$funcstack[1]" = _opbench ]; then _opbench "$@"; else compdef _opbench opbench; fi
`;
}

function fish(grammar: Grammar): string {
  const at = (name: string, count = 0) =>
    `-n '__opbench_at ${name}${count > 0 ? ` ${count}` : ''}'`;
  const lines = grammar.flatMap(({ name, summary, options, words }) => [
    `complete -c opbench -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(({ flag, hasValue, values }) => {
      const known = values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r';
      return `complete -c opbench ${at(name)} -l ${flag.slice(2)}${hasValue ? known : ''}`;
    }),
    ...words.map((known, place) => {
      return `complete -c opbench ${at(name, place + 2)} -f -a '${known.join(' ')}'`;
    }),
  ]);
  return `# Completes opbench in fish.
function __opbench_at --description 'Whether this command is typed, with this number of words'
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
    and begin
        test (count $argv) -lt 2; or test (count $words) -eq $argv[2]
    end
end
${lines.join('\n')}
complete -c opbench -n __fish_use_subcommand -l help
complete -c opbench -n __fish_use_subcommand -l version
`;
}

function powershell(grammar: Grammar): string {
  const commands = grammar.map(({ name, options, words }) => {
    const flags = options.map(({ flag }) => `'${flag}'`).join(', ');
    const valued = options.filter(({ hasValue }) => hasValue);
    const values = valued.map(({ flag, values }) => `'${flag}' = @(${listed(values)})`);
    const places = words.map((known) => `@(${listed(known)})`).join(', ');
    // A list of one list would lose its inner list.
    const nested = words.length === 1 ? `, ${places}` : places;
    return `    '${name}' = @{ Flags = @(${flags}); Values = @{ ${values.join('; ')} }; Words = @(${nested}) }`;
  });
  return `# Completes opbench in PowerShell.
Register-ArgumentCompleter -Native -CommandName opbench -ScriptBlock {
  param($word, $line, $cursor)
  $commands = [ordered]@{
${commands.join('\n')}
  }
  $typed = @($line.CommandElements | ForEach-Object { $_.ToString() })
  # The position of the word that is being completed.
  $at = if ($word -eq '') { $typed.Count } else { $typed.Count - 1 }
  $known = if ($at -le 1) {
    @($commands.Keys) + @(${listed(GENERAL)})
  } else {
    $command = $commands[$typed[1]]
    if ($command -and $command.Values.Contains($typed[$at - 1])) {
      $command.Values[$typed[$at - 1]]
    } elseif ($command) {
      @($command.Words[$at - 2]) + $command.Flags
    }
  }
  $known | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function listed(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

/** A text in single quotes, for Zsh and fish, in which a quote ends the text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
