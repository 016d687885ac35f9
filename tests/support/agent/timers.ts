/** The system's timers, as small programs that record their input in a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Program = 'systemctl' | 'crontab' | 'loginctl' | 'launchctl' | 'schtasks';

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
  // Like launchctl, it fails to remove a job that is not loaded, and to load one twice.
  launchctl: `case "$1 $2" in
print*/opbench.auto) [ -f "$here/loaded" ] || exit 113 ;;
bootout*) [ -f "$here/loaded" ] || exit 3; /bin/rm -f "$here/loaded" ;;
bootstrap*) [ ! -f "$here/loaded" ] || exit 5; : > "$here/loaded" ;;
load*) : > "$here/loaded" ;;
esac`,
  // A program here cannot end with an HRESULT, only with the error in its lower half.
  schtasks: `case "$1" in
/Query) [ -f "$here/task" ] || { echo 'ERROR: The system cannot find the file.' >&2; exit 2; }
  /bin/cat "$here/task" ;;
/Create) /bin/cat "$5" > "$here/task" ;;
/Delete) /bin/rm -f "$here/task" ;;
esac`,
};

/** A folder of programs for the PATH, so that the real ones are not used. */
export interface Timers {
  path: string;
  /** The arguments of a program, one line for each call. */
  calls(program: Program): string[];
  /** Makes a program fail at calls with one of these words, or at all calls. */
  fail(program: Program, complaint: string, ...words: string[]): void;
  mend(program: Program): void;
  /** The crontab. */
  table: Content;
  /** The task of the Task Scheduler. */
  task: Content;
}

interface Content {
  read(): Buffer | null;
  write(content: string | Uint8Array): void;
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
    fail(program, complaint, ...words) {
      writeFileSync(at(`${program}.fails`), complaint);
      writeFileSync(at(`${program}.words`), `${words.join('\n')}\n`);
    },
    mend: (program) => rmSync(at(`${program}.fails`)),
    table: contentOf(at('table')),
    task: contentOf(at('task')),
  };
}

function contentOf(path: string): Content {
  return {
    read: () => (existsSync(path) ? readFileSync(path) : null),
    write: (content) => writeFileSync(path, content),
  };
}

function script(program: Program): string {
  return `#!/bin/sh
here=\${0%/*}
echo "$*" >> "$here/${program}.calls"
if [ -f "$here/${program}.fails" ]; then
  while read -r word; do
    case "$*" in *"$word"*) /bin/cat "$here/${program}.fails" >&2; exit 1 ;; esac
  done < "$here/${program}.words"
fi
${PROGRAMS[program]}
`;
}
