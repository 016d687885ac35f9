/** The system's timers, as small programs that record their input in a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Program = 'systemctl' | 'crontab' | 'loginctl';

const PROGRAMS: Readonly<Record<Program, string>> = {
  systemctl: `case "$2" in
enable) : > "$here/active" ;;
disable) /bin/rm -f "$here/active" ;;
is-active) [ -f "$here/active" ] || exit 3 ;;
esac`,
  crontab: `case "$1" in
-l) [ -f "$here/table" ] || { echo 'no crontab for ada' >&2; exit 1; }; /bin/cat "$here/table" ;;
-r) /bin/rm -f "$here/table" ;;
-) /bin/cat > "$here/table" ;;
esac`,
  loginctl: `echo no`,
};

/** A folder of programs for the PATH, so that the real ones are not used. */
export interface Timers {
  path: string;
  /** The arguments of a program, one line for each call. */
  calls(program: Program): string[];
  /** Makes a program fail at calls with a word, or at all calls. */
  fail(program: Program, complaint: string, word?: string): void;
  mend(program: Program): void;
  table: { read(): Buffer | null; write(content: string | Uint8Array): void };
}

export function timersIn(home: string, programs: readonly Program[]): Timers {
  const path = join(home, 'bin');
  mkdirSync(path, { recursive: true });
  for (const program of programs)
    writeFileSync(join(path, program), script(program), { mode: 0o755 });
  const at = (name: string) => join(path, name);
  return {
    path,
    calls(program) {
      const file = at(`${program}.calls`);
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
    fail(program, complaint, word = '') {
      writeFileSync(at(`${program}.fails`), complaint);
      writeFileSync(at(`${program}.word`), word);
    },
    mend: (program) => rmSync(at(`${program}.fails`)),
    table: {
      read: () => (existsSync(at('table')) ? readFileSync(at('table')) : null),
      write: (content) => writeFileSync(at('table'), content),
    },
  };
}

function script(program: Program): string {
  return `#!/bin/sh
here=\${0%/*}
echo "$*" >> "$here/${program}.calls"
if [ -f "$here/${program}.fails" ]; then
  word=$(/bin/cat "$here/${program}.word")
  case "$*" in *"$word"*) /bin/cat "$here/${program}.fails" >&2; exit 1 ;; esac
fi
${PROGRAMS[program]}
`;
}
